import { quoteQuery, useService } from '@firmquote/react'
import type { StoredQuote } from '@firmquote/sdk'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'

/** Takers by offer hash. The zero address means anyone. `unknown` is the number of takers that could not be loaded. */
export type OfferTakers = { takers: ReadonlyMap<Hex, Address>; unknown: number; isPending: boolean }

/** Loads each offer's terms once, because observations omit the taker. Loads nothing unless `wanted` is set. */
export function useOfferTakers(hashes: readonly Hex[], wanted: boolean): OfferTakers {
  const { client } = useService()
  const asked = wanted ? hashes : []
  return useQueries({
    queries: asked.map((hash) => ({ ...quoteQuery(client, hash), staleTime: Number.POSITIVE_INFINITY })),
    combine: (results: UseQueryResult<StoredQuote>[]) => ({
      takers: new Map(
        results.flatMap(({ data }, index): [Hex, Address][] => {
          const hash = asked[index]
          return data && hash ? [[hash, data.quote.taker]] : []
        }),
      ),
      unknown: results.filter(({ isError }) => isError).length,
      isPending: results.some(({ isPending }) => isPending),
    }),
  })
}
