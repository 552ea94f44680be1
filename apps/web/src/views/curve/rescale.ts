/** The same amount in units of another token; what is too small for them becomes the smallest. */
export function rescale(size: bigint, from: number, to: number): bigint {
  const scaled = (size * 10n ** BigInt(to)) / 10n ** BigInt(from)
  return scaled > 0n ? scaled : 1n
}
