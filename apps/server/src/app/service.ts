import type {
  AccountPositions,
  CurrentRate,
  MakerOutcomePage,
  MakerQuoteFilters,
  PageFilters,
  PoolFilters,
  PoolRates,
  PositionFilters,
  PublicRfqId,
  QuoteFilters,
  QuotePage,
  QuoteStatus,
  RateHistory,
  RateHistoryFilters,
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
import type { Chain } from '../ports/chain.ts'
import type { ServiceFigures } from '../ports/metrics.ts'
import type { Presence } from '../ports/presence.ts'
import type { Sync } from './chain/sync.ts'
import type { ReadStanding } from './makers/makerStanding.ts'
import type { ListedVerdict } from './quotes/quoteListing.ts'

/** Why an auction was not opened. */
export type OpenRefusal = Extract<
  Rejection,
  {
    code:
      | 'POOL_NOT_FOUND'
      | 'SERIES_NOT_FOUND'
      | 'SERIES_EXPIRED'
      | 'NOTIONAL_TOO_SMALL'
      | 'CAPACITY_EXCEEDED'
      | 'TAKER_PROOF_INVALID'
      | 'TOO_MANY_OPEN'
      | 'RATE_LIMITED'
      | 'OVERLOADED'
      | 'CHAIN_UNAVAILABLE'
      | 'STORAGE_UNAVAILABLE'
      | 'IDEMPOTENCY_KEY_REUSED'
  }
>

/** A value, or why there is none. */
export type Outcome<T, R = Rejection> = { ok: true; value: T } | { ok: false; rejection: R }

/** An auction, open or closed, as its borrower sees it. */
export type FollowedAuction = {
  rfq: RFQ
  /** How many distinct backers were connected when it was opened. */
  backers: number
  /**
   * Subscribes to the events behind a place of the stream, all of them by default; past ones are delivered at once. The
   * returned function unsubscribes; the auction goes on.
   */
  listen(listener: AuctionListener, after?: number): () => void
  /**
   * Resolves at the close.
   *
   * @throws {StorageUnavailableError} when the result could not be written in time: it will be, and can be read then.
   * @throws {OverloadedError} when this instance stops before the close; another one closes the auction.
   */
  result(): Promise<RFQResult>
}

/** What is told to a borrower who follows an auction. */
export type AuctionListener = {
  event(event: RFQStreamEvent): void
  /** Nothing more will come from this instance, after `done` or before it. */
  end(): void
}

/** Who asks for an auction. */
export type Requester = {
  /** What the limits count by: an IP address, or the network of an IPv6 address. */
  address: string
  /** A wider network that contains `address`, and counts too. */
  wider?: string
  /** The integrator whose key came with the request. */
  integrator?: Integrator
  /** What the request's proof of taker must name: the service's public origin. Without it no proof is valid. */
  audience?: string
  /** The `Idempotency-Key` of the request, if it has one. */
  key?: string
}

/** Who sends requests of many users, and has quotas of its own. */
export type Integrator = { id: string; limits: { rfqsPerMinute: number; openRfqs: number } }

/** An authenticated connection of a backer, as the hub sees it. */
export type BackerSession = {
  address: Address
  /** Sends JSON text. Never throws. */
  send(frame: string): void
  /** Whether it takes the `traceparent` of an RFQ. Default: it does not. */
  traces?: boolean
}

/** A session that reads what its maker was told. */
export type StatusSession = BackerSession & {
  /** Resolves when no more than usual waits to be sent, or the session has ended. */
  taken(): Promise<void>
}

/** What makers are told of their quotes, on its way to their sessions. */
export type QuoteStatuses = {
  /**
   * The number of the newest that a maker was told; 0 for nothing.
   *
   * @throws {StorageUnavailableError}
   */
  newest(maker: Address): Promise<number>
  /** Adds a session, which gets all that its maker is told after a number. */
  join(
    session: StatusSession,
    after: number,
  ): {
    /**
     * Sends again what is kept after a number, then `resumed`, or `error` when it could not be read; what is told meanwhile comes
     * in its order. False when the session waits for an earlier one.
     */
    resume(asked: { id?: string; seq: number }): boolean
    leave(): void
  }
  /** Sends what is new to the sessions of this instance. Never rejects. */
  tell(): Promise<void>
  /** Has every instance send what is new, this one too: at once where the message arrives, else at its next look. */
  tellEverywhere(): void
  /** Looks for what is new from now on, once a second. */
  start(): void
  stop(): void
}

/** The verdict on a backer's quote. An accepted quote is on disk. */
export type SubmissionVerdict = Outcome<{ hash: Hex; receivedAt: number; closesAt: number }>

/** The auctions. */
export type AuctionHub = {
  /** Takes up the auctions that an earlier process has left open. To be called once, before anything else. */
  resume(): Promise<void>
  /** Opens an auction, or finds the one that was opened with the same key. */
  open(request: RFQRequest, requester: Requester): Promise<Outcome<FollowedAuction, OpenRefusal>>
  /** The result of an auction, also while it is open. */
  find(rfqId: RfqId): Promise<RFQResult | null>
  /** An auction's events, also after its close. */
  follow(rfqId: RfqId): Promise<FollowedAuction | null>
  /**
   * Adds a connection, which gets every `rfq` and `auction_result` from now on. `wasTold` says whether backers were told of an
   * auction lately, `traceOf` with which `traceparent`.
   */
  join(session: BackerSession): {
    openRfqs: RFQBroadcast[]
    leave: () => void
    wasTold: (rfqId: PublicRfqId) => boolean
    traceOf: (rfqId: PublicRfqId) => string | undefined
  }
  /** Judges a backer's quote. */
  submit(submission: { backer: Address; rfqId: PublicRfqId; quote: SignedQuote }): Promise<SubmissionVerdict>
  /** Logs that a backer will not quote. */
  decline(decline: { backer: Address; rfqId: PublicRfqId; reason?: string }): void
  /** How many auctions are open and how many distinct backers are connected. */
  count(): { open: number; backers: number }
  /** Refuses new auctions; resolves when all open ones have closed and every quote has its answer. */
  drain(): Promise<void>
  /** Ends what is told to those who follow auctions here; they go on elsewhere, or here again. */
  endFollowing(): void
  /** Stops at once. What is open is left to another instance, or to the next start; its listeners end. */
  stop(): void
}

/** A page of quotes. `text` is a JSON object in wire format: hash, quote, apr and createdAt; without a verdict, all of it. */
export type ListedPage = {
  quotes: { text: string; judged?: { status: QuoteStatus; verdict: ListedVerdict } }[]
  nextCursor: string | null
}

/** The store of signed quotes. */
export type QuoteBook = {
  /**
   * Judges and stores a signed quote. `created` is false when a quote with this hash was published before.
   *
   * @param network who has sent it: failed checks of contracts' signatures are counted by it; by default all by one.
   */
  submit(quote: SignedQuote, network?: string): Promise<Outcome<{ created: boolean; record: StoredQuote }>>
  list(filters: QuoteFilters): Promise<QuotePage>
  /** The same page with the stored JSON texts, which need no encoding. */
  listTexts(filters: QuoteFilters): Promise<ListedPage>
  find(hash: Hex): Promise<StoredQuote | null>
  /** Recent observations of auctions, each with whether it is still executable. */
  observations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<RFQObservation[]>
}

/** Lending markets and series. Every method throws {@link ChainUnavailableError} when the chain cannot be read. */
export type Markets = {
  /**
   * The pools with their active series, or one of them; up to one second old. Rates and depth are measured at a size in raw units, by
   * default 1 % of what each series can still take.
   *
   * @throws {OverloadedError} when too many sizes are being measured.
   */
  pools(filters?: PoolFilters): Promise<PoolRates[]>
  /** The floating rate of every lending market. */
  rates(): Promise<CurrentRate[]>
  /**
   * What the rates of a pool have been; null when there is no such pool.
   *
   * @throws {InvalidInputError} with path `from` when the range is empty or too long.
   */
  history(filters: RateHistoryFilters): Promise<RateHistory | null>
  /**
   * The debts of an account, what it can withdraw, and a page of its fixed positions, all at one block.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is of another list.
   */
  positions(filters: PositionFilters): Promise<AccountPositions>
}

/** Why a maker is told nothing. */
export type MakerRefusal = Extract<Rejection, { code: 'UNAUTHENTICATED' | 'RATE_LIMITED' }>

/** What makers read of their own. */
export type Makers = {
  /**
   * Whose a header `Authorization` is.
   *
   * @param request `audience` is what must have been signed, the public URL of the backer socket; `network` is what checks of
   * contracts' signatures are counted by; `allowList` has the backers that may connect, lower-case, by default all.
   * @throws {ChainUnavailableError} when it cannot be read whether a contract accepts the signature.
   * @throws {OverloadedError} when too many are being checked.
   */
  authorize(request: {
    authorization: string | undefined
    audience: string
    network: string
    allowList?: ReadonlySet<string>
  }): Promise<Outcome<Address, MakerRefusal>>
  /** Every quote of a maker that is known, newest first. */
  quotes(maker: Address, filters: MakerQuoteFilters): Promise<QuotePage>
  /** How the closed auctions that have accepted a quote of a maker have ended for it, newest first. */
  outcomes(maker: Address, page: PageFilters): Promise<MakerOutcomePage>
}

/** Whether the store can be written to. */
export type StorageWatch = {
  /**
   * False from the first write that fails or takes too long until a probe succeeds, and before it is known that the data is
   * whole.
   */
  isWritable(): boolean
  /** Whether clients were sent elsewhere, and the database cannot be written to yet. */
  isLost(): boolean
  /** Calls back once writing has failed for so long that clients should go elsewhere. The returned function unsubscribes. */
  onLost(listener: () => void): () => void
  /** Ends the probing. */
  stop(): void
}

/** The use cases, as the doors call them. */
export type Service = {
  hub: AuctionHub
  book: QuoteBook
  makers: Makers
  sync: Sync
  markets: Markets
  statuses: QuoteStatuses
  /** What makers have: decides who keeps a seat when there are more of them than seats. */
  readStanding: ReadStanding
  /** Whether contracts accept signatures; null for what is not known. Never rejects. */
  readSignatures: Chain['readSignatures']
  /** Counts the sockets of each backer. */
  presence: Pick<Presence, 'enter'>
  config: ServiceConfig
  storage: StorageWatch
  health(): Promise<ServiceHealth>
  /** What `/metrics` shows of this moment: within a second or so, and never rejecting. */
  figures(): Promise<ServiceFigures>
}
