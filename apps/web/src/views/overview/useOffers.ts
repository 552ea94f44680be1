import { useQueries, useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { quotesQuery, recentQuery } from '../../service/queries.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { findOffers, type SeriesOffers } from './offers.ts'

/** What is known of fixed rates. */
export type KnownOffers = {
  bySeries: ReadonlyMap<Hex, SeriesOffers>
  /** Why some of them are not known, or null. Then what is missing is not "none". */
  error: Error | null
  /** Whether some are still on their way. */
  pending: boolean
}

/** The best offers of every series, of the best hundred published quotes of each pool and what auctions have seen lately. */
export function useOffers(pools: readonly Pool[], account: Address | undefined, now: number): KnownOffers {
  const { client } = useService()
  const recent = useQuery(recentQuery(client))
  const pages = useQueries({
    queries: pools.map(({ poolId }) => quotesQuery(client, { poolId, sort: 'rate', limit: 100 })),
  })
  return {
    bySeries: findOffers({
      pools,
      quotes: pages.flatMap(({ data }) => data?.quotes ?? []),
      observations: recent.data ?? [],
      account,
      now,
    }),
    error: [recent, ...pages].find((query) => query.isLoadingError)?.error ?? null,
    pending: [recent, ...pages].some(({ isPending }) => isPending),
  }
}
