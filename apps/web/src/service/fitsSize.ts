/**
 * Whether a quote is of use for fixing `size`. Quotes are taken whole: a larger one does not fit, and one that
 * fixes less than half says little about the price of the rest.
 */
export function fitsSize(notional: bigint, size: bigint): boolean {
  return notional <= size && 2n * notional >= size
}
