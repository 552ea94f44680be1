import type { Series } from '@firmquote/react'

/** How much of a requested amount can be fixed in a term, in raw units of the loan token. */
export type Fixable = {
  amount: bigint
  /**
   * Why the amount differs from the requested amount: the term's remaining capacity (`most`) or its minimum (`least`).
   */
  limit?: 'most' | 'least'
}

/** Limits `wanted` to the series' remaining capacity, or to zero if the result is below the minimum. Pure. */
export function fixable(
  { capacity, minNotional = 1n }: Pick<Series, 'capacity' | 'minNotional'>,
  wanted: bigint,
): Fixable {
  if (wanted > capacity) return { amount: capacity < minNotional ? 0n : capacity, limit: 'most' }
  return wanted < minNotional ? { amount: 0n, limit: 'least' } : { amount: wanted }
}
