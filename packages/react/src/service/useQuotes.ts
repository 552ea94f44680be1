import type { BaseError, QuoteFilters, QuotePage, StoredQuote } from '@firmquote/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { type Hex, zeroHash } from 'viem'
import { quoteQuery, quotesQuery } from './queries.ts'
import { useService } from './serviceContext.ts'
import { type QueryParameter, useServiceQuery } from './useServiceQuery.ts'

/**
 * Polls the first page of active published quotes every 30 seconds. Anyone can find and take these quotes. For an
 * auction's quotes, use {@link useAuction}.
 *
 * @param parameters The filters of `getQuoteMarketQuotes`, and `query`. Amounts are in raw units.
 * @example
 * ```tsx
 * const { data } = useQuotes({ poolId, sort: 'rate', limit: 20 })
 * const best = data?.quotes.find(({ executable }) => executable)
 * ```
 */
export function useQuotes<Selected = QuotePage>({
  query,
  ...filters
}: QuoteFilters & QueryParameter<QuotePage, Selected> = {}): UseQueryResult<Selected, BaseError> {
  return useServiceQuery(quotesQuery(useService().client, filters), query)
}

/**
 * Polls a published quote and its status every five seconds.
 *
 * @param parameters.hash Undefined disables the query.
 */
export function useQuote<Selected = StoredQuote>({
  hash,
  query,
}: { hash?: Hex | undefined } & QueryParameter<StoredQuote, Selected>): UseQueryResult<Selected, BaseError> {
  const options = { ...quoteQuery(useService().client, hash ?? zeroHash), refetchInterval: 5_000 }
  return useServiceQuery(options, query, hash !== undefined)
}
