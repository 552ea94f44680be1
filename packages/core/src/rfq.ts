import type { Address, Hex } from 'viem'
import type { SignedQuote } from './quote.ts'

/**
 * What a borrower asks for (specification, section 2). Exactly one of `seriesKey` and `expiry`: an expiry picks the
 * pool's active series with exactly this expiry, else the nearest later one.
 */
export type RFQRequest = {
  /** 32 bytes. */
  poolId: Hex
  /** The most that a quote may be for, raw units of the loan token. */
  notional: bigint
  /** The most that a quote may cost, raw units of the loan token. */
  maxVrtAmount?: bigint
  /** The account that will take the quote; lets backers sign for it alone. */
  taker?: Address
} & ({ seriesKey: Hex; expiry?: never } | { expiry: number; seriesKey?: never })

/** An auction's terms, with the series that was found for them. Instants are Unix milliseconds, `expiry` Unix seconds. */
export type RFQ = {
  /**
   * The borrower's id opens the result to whoever knows it. Backers and the public see another id of the same auction,
   * from which it cannot be derived.
   */
  rfqId: string
  poolId: Hex
  seriesKey: Hex
  expiry: number
  notional: bigint
  maxVrtAmount?: bigint
  taker?: Address
  openedAt: number
  closesAt: number
}

/** A quote that an auction has collected. */
export type CollectedQuote = {
  /** The quote's EIP-712 digest. */
  hash: Hex
  quote: SignedQuote
  /** Simple APR in percent over the series' remaining term at the time of receipt. */
  apr: number
  /** Unix milliseconds. */
  receivedAt: number
}

/** What an auction has come to. `quotes` is sorted best first. */
export type RFQResult = RFQ & {
  status: 'open' | 'closed'
  /** Unix milliseconds, or null while the auction is open. */
  closedAt: number | null
  /** How many authenticated backers were asked. */
  backers: number
  /** How many submissions were refused. */
  rejectedCount: number
  quotes: CollectedQuote[]
}

/** What a streamed RFQ tells, in this order: one `started`, any number of `quote`, one `done` (or `error`). */
export type RFQStreamEvent =
  | { type: 'started'; id: string; data: RFQ & { backers: number } }
  | { type: 'quote'; id: string; data: CollectedQuote }
  | { type: 'done'; id: string; data: RFQSummary }
  | { type: 'error'; id: string; data: { code: string; message: string } }

/** The close of an auction; `ranking` holds the quotes' hashes, best first. */
export type RFQSummary = {
  rfqId: string
  closedAt: number
  quoteCount: number
  rejectedCount: number
  ranking: Hex[]
}

/** A quote that was seen in an auction: for discovery only, without signature. */
export type RFQObservation = {
  /** The public id of the auction. */
  rfqId: string
  hash: Hex
  maker: Address
  poolId: Hex
  seriesKey: Hex
  /** Unix seconds. */
  expiry: number
  notional: bigint
  vrtAmount: bigint
  /** Simple APR in percent at the time of observation. */
  apr: number
  /** Unix milliseconds. */
  observedAt: number
  executable: boolean
  /** Why it cannot be executed. */
  reason?: string
}
