import type { Series } from '@firmquote/react'

/** How much of a wish can be fixed in a term. Raw units of the loan token. */
export type Fixable = {
  amount: bigint
  /** Why it is not what was wished: the term has less left than that, or takes nothing so small. */
  limit?: 'most' | 'least'
}

/** What of `wanted` a series can take: at most what it has left, nothing at all below its least. Pure. */
export function fixable(
  { capacity, minNotional = 1n }: Pick<Series, 'capacity' | 'minNotional'>,
  wanted: bigint,
): Fixable {
  if (wanted > capacity) return { amount: capacity < minNotional ? 0n : capacity, limit: 'most' }
  return wanted < minNotional ? { amount: 0n, limit: 'least' } : { amount: wanted }
}
