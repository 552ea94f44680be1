import type { BorrowerClient, StoredQuote } from '@firmquote/sdk'
import { queryOptions } from '@tanstack/react-query'
import type { Hex } from 'viem'

/** The best published quotes, and whether there are more. */
export type QuoteBook = { quotes: StoredQuote[]; more: boolean }

const mostPages = 5
const pageSize = 100

/** Maximum number of quotes to read. */
export const maxQuotes = mostPages * pageSize

/** Creates the query for a pool's published quotes, best first. Reads enough pages for every view. */
export function quoteBookQuery(client: BorrowerClient, poolId: Hex) {
  return queryOptions({
    queryKey: ['quoteBook', poolId],
    queryFn: async ({ signal }): Promise<QuoteBook> => {
      const quotes: StoredQuote[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const asked = { poolId, sort: 'rate', limit: pageSize, ...(cursor !== undefined && { cursor }) } as const
        const answer = await client.getQuoteMarketQuotes(asked, { signal })
        quotes.push(...answer.quotes)
        if (answer.nextCursor === null) return { quotes, more: false }
        cursor = answer.nextCursor
      }
      return { quotes, more: true }
    },
    refetchInterval: 30_000,
  })
}
