import type { QuoteFilters, QuotePage, StoredQuote } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { quoteQuery, quotesQuery } from './queries.ts'
import { useService } from './serviceContext.ts'

/**
 * Published quotes that are active, the first page, asked for every ten seconds. They can be found and taken by anyone; those of an
 * auction are in {@link useAuction}.
 *
 * @param filters amounts in raw units, as `getQuoteMarketQuotes` has them.
 * @example
 * ```tsx
 * const { data } = useQuotes({ poolId, sort: 'rate', limit: 20 })
 * const best = data?.quotes.find(({ executable }) => executable)
 * ```
 */
export function useQuotes(filters: QuoteFilters = {}): UseQueryResult<QuotePage> {
  return useQuery(quotesQuery(useService().client, filters))
}

/** One published quote by its hash, and where it stands, asked for every five seconds. */
export function useQuote(hash: Hex): UseQueryResult<StoredQuote> {
  return useQuery({ ...quoteQuery(useService().client, hash), refetchInterval: 5_000 })
}
