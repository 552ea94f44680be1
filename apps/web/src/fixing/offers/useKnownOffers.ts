import { type Pool, recentQuery, useService } from '@firmquote/react'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { type KnownOffer, knownOffers } from './knownOffers.ts'
import { quoteBookQuery } from './quoteBookQuery.ts'

/** Known fixed rates. */
export type KnownOffers = {
  bySeries: ReadonlyMap<Hex, readonly KnownOffer[]>
  /**
   * Why some offers could not be loaded, or null. If an error is set, an empty result does not mean that no offers
   * exist.
   */
  error: Error | null
  /** Whether some offers are still loading. */
  pending: boolean
}

/**
 * Loads each pool's best published quotes and recent auction observations. All prices in the app derive from these
 * quotes and observations.
 *
 * @param now Unix seconds.
 */
export function useKnownOffers(pools: readonly Pool[], account: Address | undefined, now: number): KnownOffers {
  const { client } = useService()
  const recent = useQuery(recentQuery(client))
  const books = useQueries({ queries: pools.map(({ poolId }) => quoteBookQuery(client, poolId)) })
  return {
    bySeries: knownOffers({
      pools,
      quotes: books.flatMap(({ data }) => data?.quotes ?? []),
      observations: recent.data ?? [],
      account,
      now,
    }),
    error: [recent, ...books].find((query) => query.isLoadingError)?.error ?? null,
    pending: [recent, ...books].some(({ isPending }) => isPending),
  }
}
