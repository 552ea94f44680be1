/** Converts an amount between token decimals. Returns at least one of the smallest units. */
export function rescale(size: bigint, from: number, to: number): bigint {
  const scaled = (size * 10n ** BigInt(to)) / 10n ** BigInt(from)
  return scaled > 0n ? scaled : 1n
}
