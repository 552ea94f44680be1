/** Converts an amount between token decimals. If the result is below the smallest unit, returns one unit. */
export function rescale(size: bigint, from: number, to: number): bigint {
  const scaled = (size * 10n ** BigInt(to)) / 10n ** BigInt(from)
  return scaled > 0n ? scaled : 1n
}
