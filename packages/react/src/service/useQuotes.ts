import type { QuoteFilters, QuotePage, StoredQuote } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { quoteQuery, quotesQuery } from './queries.ts'
import { useService } from './serviceContext.ts'

/**
 * Polls the first page of active published quotes every 30 seconds. Anyone can find and take these quotes. For an
 * auction's quotes, use {@link useAuction}.
 *
 * @param filters The filters of `getQuoteMarketQuotes`. Amounts are in raw units.
 * @example
 * ```tsx
 * const { data } = useQuotes({ poolId, sort: 'rate', limit: 20 })
 * const best = data?.quotes.find(({ executable }) => executable)
 * ```
 */
export function useQuotes(filters: QuoteFilters = {}): UseQueryResult<QuotePage> {
  return useQuery(quotesQuery(useService().client, filters))
}

/** Polls a published quote and its status every five seconds. */
export function useQuote(hash: Hex): UseQueryResult<StoredQuote> {
  return useQuery({ ...quoteQuery(useService().client, hash), refetchInterval: 5_000 })
}
