import {
  type AccountPositions,
  BaseError,
  type BorrowerClient,
  formatAddress,
  type QuoteFilters,
  type QuotePage,
  type RateHistory,
  type RFQObservation,
  type RFQResult,
  type ServiceConfig,
  type ServiceHealth,
  type StoredQuote,
  toRfqId,
} from '@firmquote/sdk'
import type { QueryFunction, UseQueryOptions } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { auctionKey, isStreamed } from './auctions.ts'
import { refetchAfter } from './awaitedBlock.ts'
import { type AuctionState, mergeAuctions } from './foldAuction.ts'
import { oneLine } from './oneLine.ts'
import { serviceKey } from './queryKeys.ts'
import { followServerClock, serverNow } from './serverClock.ts'
import type { Pool, Token } from './serviceContext.ts'

// Queries to the service and their polling intervals. If a query fails, its last data stays visible. A view uses at
// most five of these queries. Together with the health query, these queries send at most 20 requests per minute, and
// none while the page is hidden.
const idleMs = 30_000

/**
 * Options for `useQuery`, `useQueries` and prefetching. All supported versions of TanStack Query export these types,
 * unlike those that `queryOptions` returns.
 */
export type ServiceQuery<Data> = Pick<
  UseQueryOptions<Data, BaseError, Data, readonly unknown[]>,
  'staleTime' | 'refetchInterval' | 'retry' | 'structuralSharing'
> & { queryKey: readonly unknown[]; queryFn: QueryFunction<Data> }

/** Query for the service's chain, contracts and limits. Fetched once per page load. */
export function configQuery(client: BorrowerClient): ServiceQuery<ServiceConfig> {
  return {
    queryKey: serviceKey('config', client),
    queryFn: ({ signal }) => client.getServiceConfig({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }
}

/** Query for the service's health. Each response synchronizes the page's clock. */
export function healthQuery(client: BorrowerClient): ServiceQuery<ServiceHealth> {
  return {
    queryKey: serviceKey('health', client),
    queryFn: ({ signal }) => followServerClock(() => client.getHealth({ signal })),
    // Poll more often during an outage, to detect recovery sooner.
    refetchInterval: ({ state }) => (state.error ? 5_000 : 15_000),
  }
}

/** Query for pools with their floating rates, series and depth. */
export function poolsQuery(client: BorrowerClient): ServiceQuery<Pool[]> {
  return {
    queryKey: serviceKey('pools', client),
    queryFn: async ({ signal }) => (await client.getPoolRates({}, { signal })).map(withShortSymbols),
    refetchInterval: idleMs,
  }
}

/** Query for one pool, with best rates and depth for the given notional. Amounts are in raw units. */
export function sizedPoolQuery(
  client: BorrowerClient,
  { poolId, notional }: { poolId: Hex; notional: bigint },
): ServiceQuery<Pool[]> {
  return {
    // Query keys are serialized as JSON, which has no bigint.
    queryKey: serviceKey('pools', client, poolId, notional.toString()),
    queryFn: async ({ signal }) => (await client.getPoolRates({ poolId, notional }, { signal })).map(withShortSymbols),
    refetchInterval: idleMs,
  }
}

/** Sanitizes and truncates token symbols, because deployers can choose any symbol. */
function withShortSymbols(pool: Pool): Pool {
  const { loanToken, collateral } = pool
  return { ...pool, loanToken: shortened(loanToken), ...(collateral && { collateral: shortened(collateral) }) }
}

function shortened(token: Token): Token {
  return { ...token, symbol: oneLine(token.symbol, 12) || formatAddress(token.address) }
}

/**
 * Query for an account's debts and open positions. Polls more often after a take or settlement, until the data includes
 * it.
 */
export function positionsQuery(client: BorrowerClient, address: Address): ServiceQuery<AccountPositions> {
  return {
    queryKey: serviceKey('positions', client, address),
    queryFn: ({ signal }) => client.getPositions(address, { signal }),
    refetchInterval: ({ state }) => refetchAfter(state.data?.block, idleMs),
  }
}

/** Query for the first page of active published quotes. */
export function quotesQuery(client: BorrowerClient, filters: QuoteFilters): ServiceQuery<QuotePage> {
  const { minNotional, maxNotional, ...rest } = filters
  return {
    // Query keys are serialized as JSON, which has no bigint.
    queryKey: serviceKey('quotes', client, {
      ...rest,
      minNotional: minNotional?.toString(),
      maxNotional: maxNotional?.toString(),
    }),
    queryFn: ({ signal }) => client.getQuoteMarketQuotes(filters, { signal }),
    refetchInterval: idleMs,
  }
}

/** Query for one stored quote. */
export function quoteQuery(client: BorrowerClient, hash: Hex): ServiceQuery<StoredQuote> {
  return {
    queryKey: serviceKey('quote', client, hash),
    queryFn: ({ signal }) => client.getQuoteMarketQuote(hash, { signal }),
  }
}

/** Query for quotes from recent auctions, newest first. For discovery only. */
export function recentQuery(
  client: BorrowerClient,
  filters: { poolId?: Hex; seriesKey?: Hex } = {},
): ServiceQuery<RFQObservation[]> {
  return {
    queryKey: serviceKey('recent', client, filters),
    queryFn: ({ signal }) => client.getRecentQuotes({ ...filters, limit: 100 }, { signal }),
    refetchInterval: idleMs,
  }
}

/**
 * Query for a pool's rates over the last 365 days. The floating rate has one point per hour. The service caches the
 * response for ten seconds.
 */
export function rateHistoryQuery(client: BorrowerClient, poolId: Hex): ServiceQuery<RateHistory> {
  return {
    queryKey: serviceKey('history', client, poolId),
    queryFn: ({ signal }) => client.getRateHistory({ poolId }, { signal }),
    staleTime: 60_000,
    refetchInterval: 600_000,
  }
}

/** Responses to merge into the cache. TanStack Query also passes the results of `select`, which must not be merged. */
const fetched = new WeakSet<RFQResult>()

/**
 * Query for an auction by its secret id. Does not poll while the app follows the auction's stream, unless the close is
 * overdue. Polls every second if the auction is open and its stream could not be resumed.
 */
export function auctionQuery(client: BorrowerClient, rfqId: string): ServiceQuery<AuctionState> {
  return {
    queryKey: auctionKey(rfqId),
    queryFn: async ({ signal }) => {
      const heard = await client.getRfq(toRfqId(rfqId), { signal })
      fetched.add(heard)
      return heard
    },
    staleTime: ({ state: { data } }) =>
      isStreamed(rfqId) || data?.status === 'closed' ? Number.POSITIVE_INFINITY : 1_000,
    refetchInterval: ({ state: { data, error } }) => {
      if (data?.status === 'closed' || (error && isUnknownAuction(error))) return false
      return data && isStreamed(rfqId) ? Math.max(1_000, data.closesAt + 1_000 - serverNow()) : 1_000
    },
    retry: (failures, error) => failures < 1 && !isUnknownAuction(error),
    structuralSharing: (known, heard) =>
      fetched.delete(heard as RFQResult) ? mergeAuctions(known as AuctionState | undefined, heard as RFQResult) : heard,
  }
}

/** Whether an error means that the auction does not exist, so that retrying is pointless. */
export function isUnknownAuction(error: Error): boolean {
  return error instanceof BaseError && (error.code === 'RFQ_NOT_FOUND' || error.code === 'INVALID_INPUT')
}
