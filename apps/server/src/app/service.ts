import type {
  AccountPositions,
  CurrentRate,
  PoolRates,
  PublicRfqId,
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
  RfqId,
  ServiceConfig,
  ServiceHealth,
  SignedQuote,
  StoredQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { Sync } from './chain/sync.ts'
import type { ListedVerdict } from './quotes/quoteListing.ts'

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

/** A running auction, as its borrower sees it. */
export type OpenAuction = {
  rfq: RFQ
  /** How many distinct backers the RFQ was sent to. */
  backers: number
  /**
   * Subscribes to all events from `started` to `done` (or `error`); past ones are delivered at once. The returned function
   * unsubscribes; the auction goes on.
   */
  listen(listener: (event: RFQStreamEvent) => void): () => void
  /** Resolves at the close; rejects with {@link AuctionAbortedError} when the service stops before it. */
  result: Promise<RFQResult>
}

/** An authenticated connection of a backer, as the hub sees it. */
export type BackerSession = {
  address: Address
  /** Sends JSON text. Never throws. */
  send(frame: string): void
}

/** The verdict on a backer's quote. An accepted quote is on disk. */
export type SubmissionVerdict = Outcome<{ hash: Hex; receivedAt: number; closesAt: number }>

/** The auctions. */
export type AuctionHub = {
  /** Opens an auction; `requester` (an IP address) is what the limits count by. */
  open(request: RFQRequest, requester: string): Promise<Outcome<OpenAuction, OpenRefusal>>
  /** The result of an auction, also while it is open. */
  find(rfqId: RfqId): Promise<RFQResult | null>
  /** Adds a connection, which gets every `rfq` and `auction_result` from now on. */
  join(session: BackerSession): { openRfqs: RFQBroadcast[]; leave: () => void }
  /** Judges a backer's quote. */
  submit(submission: { backer: Address; rfqId: PublicRfqId; quote: SignedQuote }): Promise<SubmissionVerdict>
  /** Logs that a backer will not quote. */
  decline(decline: { backer: Address; rfqId: PublicRfqId; reason?: string }): void
  /** How many auctions are open and how many distinct backers are connected. */
  count(): { open: number; backers: number }
  /** Ends every open auction with an `error` event of code OVERLOADED and refuses new ones. */
  shutDown(): Promise<void>
}

/** A page of quotes. `text` is a JSON object in wire format: hash, quote, apr and createdAt. */
export type ListedPage = {
  quotes: { text: string; status: QuoteStatus; verdict: ListedVerdict }[]
  nextCursor: string | null
}

/** The store of signed quotes. */
export type QuoteBook = {
  /** Judges and stores a signed quote. `created` is false when a quote with this hash was published before. */
  submit(quote: SignedQuote): Promise<Outcome<{ created: boolean; record: StoredQuote }>>
  list(filters: QuoteFilters): Promise<QuotePage>
  /** The same page with the stored JSON texts, which need no encoding. */
  listTexts(filters: QuoteFilters): Promise<ListedPage>
  find(hash: Hex): Promise<StoredQuote | null>
  /** Recent observations of auctions, each with whether it is still executable. */
  observations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<RFQObservation[]>
}

/** Lending markets and series. Every method throws {@link ChainUnavailableError} when the chain cannot be read. */
export type Markets = {
  /** The pools with their active series; up to one second old. */
  pools(): Promise<PoolRates[]>
  /** The floating rate of every lending market. */
  rates(): Promise<CurrentRate[]>
  /** The debts of an account, and its open fixed positions. */
  positions(address: Address): Promise<AccountPositions>
}

/** The use cases, as the doors call them. */
export type Service = {
  hub: AuctionHub
  book: QuoteBook
  sync: Sync
  markets: Markets
  config: ServiceConfig
  health(): Promise<ServiceHealth>
}
