import type { Address, Hex } from 'viem'
import type { SignedQuote } from './quote.ts'
import type { Code } from './rejection.ts'

/** Where a stored quote stands. */
export const quoteStatuses = ['active', 'filled', 'cancelled', 'nonce_raised', 'expired'] as const
/** One of {@link quoteStatuses}. */
export type QuoteStatus = (typeof quoteStatuses)[number]

/** A quote in the store. The quotes of an auction belong to its borrower: they are shown without `signature`. */
export type StoredQuote = {
  hash: Hex
  quote: Omit<SignedQuote, 'signature'> & { signature?: Hex }
  /** Simple APR in percent over the remaining term at the time of creation. */
  apr: number
  status: QuoteStatus
  /** Unix milliseconds. */
  createdAt: number
  /** Where its end was seen on the chain. */
  seenAt?: { blockNumber: bigint; blockHash: Hex; transactionHash?: Hex }
  /** Whether it could be taken at the block `judgedAt`, by itself. In lists only. */
  executable?: boolean
  /** Why it could not: the code of its refusal. */
  reason?: string
  /**
   * Whether its maker has published more than its funds (the smaller of balance and allowance) cover: each of these
   * quotes can be taken by itself, but not all of them. In lists only.
   */
  overcommitted?: boolean
  /** The block that it was judged at. In lists only. */
  judgedAt?: { number: bigint; hash: Hex }
}

/** How stored quotes are picked. Amounts are raw units. */
export type QuoteFilters = {
  maker?: Address
  taker?: Address
  poolId?: Hex
  seriesKey?: Hex
  minNotional?: bigint
  maxNotional?: bigint
  /** `rate`: best first; `created`: newest first; `deadline`: soonest first. Default `created`. */
  sort?: 'rate' | 'created' | 'deadline'
  /** 1 to 100, default 50. */
  limit?: number
  /** `nextCursor` of the page before. */
  cursor?: string
}

/** One page of stored quotes. */
export type QuotePage = {
  quotes: StoredQuote[]
  /** Asks for the next page; null on the last one. */
  nextCursor: string | null
}

/** The chain, the contracts and the limits of a service (`GET /config`). */
export type ServiceConfig = {
  apiVersion: string
  chainId: number
  contracts: { quoteMarket: Address; interestRatePool: Address; bundler3: Address; keeperBundler: Address }
  deployBlock: number
  eip712Domain: { name: string; version: string; chainId: number; verifyingContract: Address }
  auction: { durationMs: number; quotesPerBacker: number }
  limits: {
    bodyBytes: number
    rfqsPerMinute: number
    openRfqs: number
    storedQuotesPerMaker: number
    socketsPerBacker: number
    minQuoteLifetimeSeconds: number
    maxQuoteLifetimeSeconds: number
  }
}

/** How a service feels (`GET /health`). */
export type ServiceHealth = {
  status: 'ok' | 'degraded' | 'down'
  database: 'ok' | 'down'
  sync: {
    /** Newest block that the node knows, or null when it cannot be read. */
    head: number | null
    /** Newest block whose events are in the store. */
    synced: number | null
    /** Age of the head, in seconds. */
    lagSeconds: number | null
  }
  backers: { connected: number }
  auctions: { open: number }
  /** The service's clock, Unix milliseconds. Services before this version do not tell. */
  serverTime?: number
  version: string
}

/** One lending market's floating rate (`GET /rates/current`). */
export type CurrentRate = {
  protocol: string
  /** The market's id in its protocol. */
  market: Hex
  loanToken: Address
  /** WAD per second. */
  ratePerSec: bigint
  /** Simple, in percent. */
  apr: number
  /** Compounded, in percent. */
  apy: number
  /** The block it was read at. */
  block: number
}

/** A pool with its active series (`GET /pools/rates`). Rates in percent, amounts in raw units of the loan token. */
export type PoolRates = {
  poolId: Hex
  loanToken: { address: Address; symbol: string; decimals: number }
  /** The lending protocol; like the next two, services before this version do not tell. */
  protocol?: string
  /** The market's id in its protocol. */
  market?: Hex
  /** What borrowers put up in that market; null when there is none, or when the pool's adapter tells of none. */
  collateral?: { address: Address; symbol: string; decimals: number } | null
  floating: { ratePerSec: bigint; apr: number; apy: number }
  series: {
    seriesKey: Hex
    /** Unix seconds. */
    expiry: number
    capacity: bigint
    /** The best fixed rate among the quotes that `depth` counts, as of the block. */
    bestApr?: number
    /**
     * Quotes that anyone could take: published ones, and those that auctions have seen lately. What one maker offers in
     * a series counts at most as far as its funds go.
     */
    depth: { quotes: number; notional: bigint }
  }[]
}

/** What an account owes on lending markets, and its open fixed-rate positions (`GET /positions/all`). */
export type AccountPositions = {
  address: Address
  /** The block that debts were read at. */
  block: number
  /** Variable-rate debts on the markets of the pools; what is zero is left out. */
  debts: AccountDebt[]
  /** Open fixed-rate positions, oldest first. An account that is both sides of one finds it twice. */
  positions: FixedPosition[]
}

/** A variable-rate debt. */
export type AccountDebt = {
  poolId: Hex
  protocol: string
  /** The market's id in its protocol. */
  market: Hex
  loanToken: Address
  /** With the interest up to the block, in raw units of the loan token. */
  debt: bigint
}

/** A fixed-rate position that has not been settled. Amounts in raw units of the loan token. */
export type FixedPosition = {
  positionId: bigint
  /** Which side of it the account is. */
  role: 'maker' | 'borrower'
  maker: Address
  borrower: Address
  poolId: Hex
  seriesKey: Hex
  /** When it can be settled, Unix seconds. */
  expiry: number
  notional: bigint
  /** What the borrower has paid for it. */
  cost: bigint
  openedAtBlock: bigint
}

/** An error of the service (RFC 9457, `application/problem+json`). */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: Code
  requestId: string
  /** Where in the request the mistakes are. */
  errors?: { path: string; message: string }[]
  /** The facts behind a refusal. */
  details?: Record<string, unknown>
}
