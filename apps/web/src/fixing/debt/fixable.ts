import type { Series } from '@firmquote/react'

/** How much of a wanted amount can be fixed in a term. Raw units of the loan token. */
export type Fixable = {
  amount: bigint
  /** Why it differs from the wanted amount: the term has less left (`most`), or requires more (`least`). */
  limit?: 'most' | 'least'
}

/** The part of `wanted` that a series can take: at most its remaining capacity, and zero below its minimum. Pure. */
export function fixable(
  { capacity, minNotional = 1n }: Pick<Series, 'capacity' | 'minNotional'>,
  wanted: bigint,
): Fixable {
  if (wanted > capacity) return { amount: capacity < minNotional ? 0n : capacity, limit: 'most' }
  return wanted < minNotional ? { amount: 0n, limit: 'least' } : { amount: wanted }
}
