import type {
  AccountPositions,
  CurrentRate,
  PoolRates,
  QuoteFilters,
  QuotePage,
  QuoteStatus,
  Rejection,
  RFQ,
  RFQBroadcast,
  RFQObservation,
  RFQRequest,
  RFQResult,
  RFQStreamEvent,
  ServiceConfig,
  ServiceHealth,
  SignedQuote,
  StoredQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { Sync } from './chain/sync.ts'
import type { ListedVerdict } from './quotes/listedQuotes.ts'

/** Why an auction was not opened. */
export type OpenRefusal = Extract<
  Rejection,
  {
    code:
      | 'POOL_NOT_FOUND'
      | 'SERIES_NOT_FOUND'
      | 'SERIES_EXPIRED'
      | 'TOO_MANY_OPEN'
      | 'RATE_LIMITED'
      | 'OVERLOADED'
      | 'CHAIN_UNAVAILABLE'
  }
>

/** A value, or why there is none. */
export type Outcome<T, R = Rejection> = { ok: true; value: T } | { ok: false; rejection: R }

/** An auction that has just opened, as its borrower sees it. */
export type OpenAuction = {
  rfq: RFQ
  /** How many backers were asked. */
  backers: number
  /**
   * Hears every event from `started` to `done` (or `error`), those that have happened already first and at once.
   * The answer stops it; the auction goes on.
   */
  listen(listener: (event: RFQStreamEvent) => void): () => void
  /** Resolves at the close; rejects with {@link AuctionAbortedError} when the service has to stop before it. */
  result: Promise<RFQResult>
}

/** A backer's authenticated connection, as the hub sees it. */
export type BackerSession = {
  address: Address
  /** Sends a message that is already JSON text. Never throws. */
  send(frame: string): void
}

/** The verdict on a backer's quote, given only after it is on disk. */
export type SubmissionVerdict = Outcome<{ hash: Hex; receivedAt: number; closesAt: number }>

/** Auctions, from the opening to the close. */
export type AuctionHub = {
  /** Opens an auction; `requester` is what its limits count by (an IP address). */
  open(request: RFQRequest, requester: string): Promise<Outcome<OpenAuction, OpenRefusal>>
  /** An auction's result, also while it is open; `rfqId` is the borrower's id. */
  find(rfqId: string): Promise<RFQResult | null>
  /** Adds a backer's connection: it gets every `rfq` and `auction_result` from now on. */
  join(session: BackerSession): { openRfqs: RFQBroadcast[]; leave: () => void }
  /** Judges a backer's quote; `rfqId` is the public id. */
  submit(submission: { backer: Address; rfqId: string; quote: SignedQuote }): Promise<SubmissionVerdict>
  /** Notes that a backer will not answer. */
  decline(decline: { backer: Address; rfqId: string; reason?: string }): void
  /** How many auctions are open and how many distinct backers are connected. */
  count(): { open: number; backers: number }
  /** Ends every open auction with an `error` event of code OVERLOADED ("the service is restarting") and refuses new ones. */
  shutDown(): Promise<void>
}

/** A page of quotes. `text` is a JSON object: hash, quote, apr and createdAt as they travel. */
export type ListedPage = {
  quotes: { text: string; status: QuoteStatus; verdict: ListedVerdict }[]
  nextCursor: string | null
}

/** The store of signed quotes. */
export type QuoteBook = {
  /** Validates and stores a signed quote. `created` is false when the same hash was there. */
  submit(quote: SignedQuote): Promise<Outcome<{ created: boolean; record: StoredQuote }>>
  list(filters: QuoteFilters): Promise<QuotePage>
  /** The same page for a door: the quotes are the texts that are stored, each with what is said of it now. */
  listTexts(filters: QuoteFilters): Promise<ListedPage>
  find(hash: Hex): Promise<StoredQuote | null>
  /** Recent observations of auctions, each with whether it can still be executed. */
  observations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<RFQObservation[]>
}

/** What the lending markets and the series offer. Throws {@link ChainUnavailableError} when the chain cannot be read. */
export type Markets = {
  /** The pools with their active series; an answer may be a second old. */
  pools(): Promise<PoolRates[]>
  /** The floating rate of every lending market. */
  rates(): Promise<CurrentRate[]>
  /** What an account owes there, and its open fixed positions. */
  positions(address: Address): Promise<AccountPositions>
}

/** Everything that the two doors may ask for. */
export type Service = {
  hub: AuctionHub
  book: QuoteBook
  sync: Sync
  markets: Markets
  config: ServiceConfig
  health(): Promise<ServiceHealth>
}
