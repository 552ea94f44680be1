import type { ServiceClient, StoredQuote } from '@firmquote/sdk'
import { queryOptions } from '@tanstack/react-query'
import type { Hex } from 'viem'

/** What of the book is read: of one pool, raw units. */
export type BookFilters = { poolId: Hex; minNotional?: bigint; maxNotional?: bigint }

/** The best published quotes, and whether there are more than were read. */
export type QuoteBook = { quotes: StoredQuote[]; more: boolean }

const mostPages = 5

/** Published quotes of a pool, best first, as many pages as a curve could need. */
export function quoteBookQuery(client: ServiceClient, filters: BookFilters) {
  const { poolId, minNotional, maxNotional } = filters
  return queryOptions({
    queryKey: ['quoteBook', poolId, minNotional?.toString(), maxNotional?.toString()],
    queryFn: async ({ signal }): Promise<QuoteBook> => {
      const quotes: StoredQuote[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const asked = { ...filters, sort: 'rate', limit: 100, ...(cursor !== undefined && { cursor }) } as const
        const answer = await client.getQuoteMarketQuotes(asked, { signal })
        quotes.push(...answer.quotes)
        if (answer.nextCursor === null) return { quotes, more: false }
        cursor = answer.nextCursor
      }
      return { quotes, more: true }
    },
    refetchInterval: 10_000,
  })
}
