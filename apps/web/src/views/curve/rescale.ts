/** Converts an amount to another token's units. An amount below the smallest unit becomes one unit. */
export function rescale(size: bigint, from: number, to: number): bigint {
  const scaled = (size * 10n ** BigInt(to)) / 10n ** BigInt(from)
  return scaled > 0n ? scaled : 1n
}
