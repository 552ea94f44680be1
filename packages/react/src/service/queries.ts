import {
  BaseError,
  formatAddress,
  type QuoteFilters,
  type RFQResult,
  type ServiceClient,
  toRfqId,
} from '@firmquote/sdk'
import { queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { auctionKey, isStreamed } from './auctions.ts'
import { refetchAfter } from './awaitedBlock.ts'
import { mergeAuctions } from './foldAuction.ts'
import { oneLine } from './oneLine.ts'
import { serviceKey } from './queryKeys.ts'
import { followServerClock, serverNow } from './serverClock.ts'
import type { Pool, Token } from './serviceContext.ts'

// The service's queries and their polling intervals. A failed query keeps showing the last answer. A view has at most
// five of them: with the status query at most 20 requests per minute, and none while the page is hidden.
const idleMs = 30_000

/** The chain, contracts and limits. Fetched once per page load. */
export function configQuery(client: ServiceClient) {
  return queryOptions({
    queryKey: serviceKey('config', client),
    queryFn: ({ signal }) => client.getServiceConfig({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The service's health. The answer synchronizes the page's clock. */
export function healthQuery(client: ServiceClient) {
  return queryOptions({
    queryKey: serviceKey('health', client),
    queryFn: ({ signal }) => followServerClock(() => client.getHealth({ signal })),
    // Poll faster during an outage, to notice its end.
    refetchInterval: ({ state }) => (state.error ? 5_000 : 15_000),
  })
}

/** Pools with floating rates, series and depth. */
export function poolsQuery(client: ServiceClient) {
  return queryOptions({
    queryKey: serviceKey('pools', client),
    queryFn: async ({ signal }) => (await client.getPoolRates({}, { signal })).map(withShortSymbols),
    refetchInterval: idleMs,
  })
}

/** One pool, with best rates and depth measured at a size. Raw units. */
export function sizedPoolQuery(client: ServiceClient, { poolId, notional }: { poolId: Hex; notional: bigint }) {
  return queryOptions({
    // Keys are JSON, which has no bigint.
    queryKey: [...serviceKey('pools', client), poolId, notional.toString()],
    queryFn: async ({ signal }) => (await client.getPoolRates({ poolId, notional }, { signal })).map(withShortSymbols),
    refetchInterval: idleMs,
  })
}

/** Truncates token symbols, because anyone can give a token any symbol. */
function withShortSymbols(pool: Pool): Pool {
  const { loanToken, collateral } = pool
  return { ...pool, loanToken: shortened(loanToken), ...(collateral && { collateral: shortened(collateral) }) }
}

function shortened(token: Token): Token {
  return { ...token, symbol: oneLine(token.symbol, 12) || formatAddress(token.address) }
}

/** An account's debts and open positions. Polled faster until they reach the block of a take or a settlement. */
export function positionsQuery(client: ServiceClient, address: Address) {
  return queryOptions({
    queryKey: [...serviceKey('positions', client), address],
    queryFn: ({ signal }) => client.getPositions(address, { signal }),
    refetchInterval: ({ state }) => refetchAfter(state.data?.block, idleMs),
  })
}

/** Active published quotes: the first page. */
export function quotesQuery(client: ServiceClient, filters: QuoteFilters) {
  const { minNotional, maxNotional, ...rest } = filters
  return queryOptions({
    // Keys are JSON, which has no bigint.
    queryKey: [
      ...serviceKey('quotes', client),
      { ...rest, minNotional: minNotional?.toString(), maxNotional: maxNotional?.toString() },
    ],
    queryFn: ({ signal }) => client.getQuoteMarketQuotes(filters, { signal }),
    refetchInterval: idleMs,
  })
}

/** One stored quote. */
export function quoteQuery(client: ServiceClient, hash: Hex) {
  return queryOptions({
    queryKey: [...serviceKey('quote', client), hash],
    queryFn: ({ signal }) => client.getQuoteMarketQuote(hash, { signal }),
  })
}

/** Quotes of recent auctions, newest first. For discovery only. */
export function recentQuery(client: ServiceClient, filters: { poolId?: Hex; seriesKey?: Hex } = {}) {
  return queryOptions({
    queryKey: [...serviceKey('recent', client), filters],
    queryFn: ({ signal }) => client.getRecentQuotes({ ...filters, limit: 100 }, { signal }),
    refetchInterval: idleMs,
  })
}

/**
 * The rates of a pool in the last 365 days. The service caches its answer for ten seconds. The floating rate has one
 * point per hour.
 */
export function rateHistoryQuery(client: ServiceClient, market: Hex) {
  return queryOptions({
    queryKey: [...serviceKey('history', client), market],
    queryFn: ({ signal }) => client.getRateHistory({ market }, { signal }),
    staleTime: 60_000,
    refetchInterval: 600_000,
  })
}

/**
 * An auction by its secret id. Not polled while its stream is followed, unless the close is overdue. Polled every
 * second if the auction is open and its stream could not be resumed.
 */
export function auctionQuery(client: ServiceClient, rfqId: string) {
  return queryOptions({
    queryKey: auctionKey(rfqId),
    queryFn: ({ signal }) => client.getRfq(toRfqId(rfqId), { signal }),
    staleTime: ({ state: { data } }) =>
      isStreamed(rfqId) || data?.status === 'closed' ? Number.POSITIVE_INFINITY : 1_000,
    refetchInterval: ({ state: { data, error } }) => {
      if (data?.status === 'closed' || (error && isUnknownAuction(error))) return false
      return data && isStreamed(rfqId) ? Math.max(1_000, data.closesAt + 1_000 - serverNow()) : 1_000
    },
    retry: (failures, error) => failures < 1 && !isUnknownAuction(error),
    structuralSharing: (known, heard) =>
      replaceEqualDeep(known, mergeAuctions(known as RFQResult | undefined, heard as RFQResult)),
  })
}

/** Whether the error means that the auction does not exist, so that retries are useless. */
export function isUnknownAuction(error: Error): boolean {
  return error instanceof BaseError && (error.code === 'RFQ_NOT_FOUND' || error.code === 'INVALID_INPUT')
}
