// Long because it documents every method of the one port that both databases implement.

import type {
  BlockRef,
  MakerQuoteFilters,
  PageFilters,
  PublicRfqId,
  QuoteFilters,
  QuoteStatus,
  QuoteStatusMessage,
  RfqId,
  SignedQuote,
  StoredQuote,
} from '@firmquote/core'
import type { OpenedSeries } from '@firmquote/core/chain'
import type { Address, Hex } from 'viem'
import type { AcceptedQuote, AuctionClose, AuctionRecord } from '../domain/auctionRecord.ts'
import type { StatusUpdate } from '../domain/statusUpdate.ts'
import type { TakerCounts } from '../domain/takerRecord.ts'
import type { ChainEvent, Pool, Position, Series, Settlement } from './chain.ts'
import type { DatabaseSize } from './metrics.ts'

/** A quote to store. */
export type NewQuote = {
  hash: Hex
  quote: SignedQuote
  apr: number
  /** Unix milliseconds. */
  createdAt: number
}

/** The maximum number of a maker's published, active quotes whose deadline is not before `now` (Unix seconds). */
export type PublishedLimit = { most: number; now: bigint }

/**
 * The result of a publication. Without a record the quote was not stored, because the maker has `open` such quotes
 * already.
 */
export type Publication = { created: boolean; record: QuoteRecord } | { created: false; record: null; open: number }

/** An auction to open. */
export type NewAuction = Pick<AuctionRecord, 'rfq' | 'publicRfqId' | 'backers'> & {
  /** The key of its borrower's request; null for none. */
  key: AuctionKey | null
}

/** Two SHA-256 hashes: of the borrower's `Idempotency-Key`, which itself is never stored, and of the request. */
export type AuctionKey = { key: Hex; request: Hex }

/** Milliseconds after the opening for which a key identifies its auction. */
export const keyLifetimeMs = 86_400_000

/** The result of an opening; `existing` is the auction with the same key. */
export type OpenedAuction = { opened: true } | { opened: false; existing: KeyedAuction }

/** The auction of a key, and the hash of its request. */
export type KeyedAuction = { rfqId: RfqId; request: Hex }

/** A quote with a positive verdict, for an auction to accept. `arrival` is Unix microseconds of the auction's time. */
export type NewAuctionQuote = Omit<AcceptedQuote, 'seq'> & { publicRfqId: PublicRfqId }

/** The result of {@link Store.acceptQuote}. */
export type AcceptOutcome =
  /** The quote is on disk, from this call or an earlier one; `receivedAt` is from the first. */
  | { status: 'accepted'; seq: number; receivedAt: number }
  /** The quote is not stored and never will be: the auction is closed or past its deadline. */
  | { status: 'closed'; closedAt: number }
  /** Its maker has another quote in the auction. */
  | { status: 'quoted'; hash: Hex }
  | { status: 'unknown_auction' }

/**
 * The close of an auction. `at` is Unix milliseconds of the auction's time. The answer omits the first `knownCount`
 * rows, by default 0.
 */
export type NewClose = { publicRfqId: PublicRfqId; at: number; knownCount?: number } & Pick<
  AuctionClose,
  'rejectedCount' | 'interrupted'
>

/** An auction's row of one maker; `closedAt` is null while it is open. */
export type AuctionEntry = {
  closesAt: number
  closedAt: number | null
  accepted: { hash: Hex; receivedAt: number } | null
}

/**
 * A stored quote. The caller decides who may see its signature. The status follows from synced events only; expiry by
 * time must be derived from its deadline and `seriesExpiry`.
 */
export type QuoteRecord = NewQuote & {
  status: Exclude<QuoteStatus, 'expired'>
  /** The expiry of its series, Unix seconds; absent until the series has been synced. */
  seriesExpiry?: number
  /** The block in which its end was seen. */
  seenAt?: NonNullable<StoredQuote['seenAt']>
  /** Whether its maker has published it; false for a quote that only an auction has seen. */
  listed: boolean
  /** Present while only open auctions have the quote; only their borrowers may see it then. */
  secret?: true
}

/** A published, active quote of a list. */
export type ListedRecord = {
  /** The hash, signed quote, apr and createdAt in one JSON object in wire format. */
  text: string
  /** Parses the whole record, which costs several times as much as the text. */
  parse(): QuoteRecord
}

/** A filter of a maker's published quotes by status. */
export type PublishedQuoteFilters = Pick<QuoteFilters, 'limit' | 'cursor'> & {
  maker: Address
  status: Exclude<NonNullable<QuoteFilters['status']>, 'active'>
}

/** A filter of a series' offers: the range of notionals in raw units, and the maximum number per maker and in total. */
export type OfferFilters = {
  seriesKey: Hex
  least: bigint
  most: bigint
  perMaker: number
  limit: number
  /** Makers to leave out, lower-case. */
  without: ReadonlySet<string>
}

/** One page of a list. */
export type QuoteRecordPage = { quotes: ListedRecord[]; nextCursor: string | null }

/** A quote as its maker may see it; `publicRfqId` is the last auction that accepted it. */
export type MakerQuoteRecord = QuoteRecord & { publicRfqId?: PublicRfqId }

/** One page of a maker's quotes. */
export type MakerQuotePage = { quotes: MakerQuoteRecord[]; nextCursor: string | null }

/** One page of auctions that contain a quote of a maker. */
export type MakerAuctionPage = { auctions: AuctionRecord[]; nextCursor: string | null }

/** A quote that a closed auction accepted. */
export type ObservationRecord = {
  publicRfqId: PublicRfqId
  hash: Hex
  quote: SignedQuote
  apr: number
  /** Unix seconds. */
  expiry: number
  /** Unix milliseconds. */
  observedAt: number
}

/** The notional that a maker has committed in a pool, in raw units of its loan token. */
export type Commitment = { maker: Address; poolId: Hex; notional: bigint }

/** The largest filled quote of a maker in one series, and the series' cap, in raw units of the loan token. */
export type Fill = { maker: Address; notional: bigint; cap: bigint }

/** The range of a taker's counts: `since` is Unix milliseconds, `from` a block; counting stops at `most`. */
export type TakerQuery = { taker: Address; since: number; from: bigint; most: number }

/** A filter of an account's positions; `open` sorts the oldest first, the others the newest first. */
export type PositionQuery = { account: Address; status: 'open' | 'settled' | 'all'; limit: number; cursor?: string }

/** A stored position with data of its pool and series; `settlement` is null while it is open. */
export type PositionRecord = Position & {
  loanToken: Address
  /** Unix seconds. */
  expiry: number
  settlement: Settlement | null
}

/**
 * One page of an account's positions as of `block`, the newest whose events are in the store; null in an empty store.
 */
export type PositionPage = {
  block: BlockRef | null
  positions: PositionRecord[]
  /** The series of the open positions. */
  openSeries: OpenedSeries[]
  nextCursor: string | null
}

/** A synced block. */
export type SyncedBlock = Pick<BlockRef, 'number' | 'hash'>

/** A step of the sync, applied atomically. */
export type ChainUpdate = {
  /**
   * The cursor that the step starts from. If the store has another one, the step fails with a {@link CursorMovedError}.
   */
  after: SyncedBlock | null
  /** The cursor after the step. */
  cursor: BlockRef
  /** Blocks to retain for comparison, including the cursor. */
  blocks: readonly SyncedBlock[]
  events: readonly ChainEvent[]
  /** The number of blocks to retain up to the cursor. */
  keep: number
  /** The time of the step, Unix milliseconds. */
  at: number
}

/** A rollback of the sync, applied atomically. */
export type ChainUndoing = {
  /** The cursor that was read. If the store has another one, the rollback fails with a {@link CursorMovedError}. */
  from: SyncedBlock | null
  /** The block to roll back to; null to remove every block. */
  to: BlockRef | null
  /** The time of the rollback, Unix milliseconds. */
  at: number
}

/** A status update of a quote, in wire format. */
export type StatusUpdateRecord = Omit<QuoteStatusMessage, 'type'>

/**
 * Status updates in order of `seq`, and the range of retained numbers; `oldest` is `newest` + 1 if none are retained.
 */
export type StatusUpdatePage = { statuses: StatusUpdateRecord[]; oldest: number; newest: number }

/** At most 1,000 updates of all makers after a cursor, in order; `last` is the cursor of the last one. */
export type PendingUpdates = { last: number; told: { maker: Address; status: StatusUpdate; final: boolean }[] }

/** Retention of status updates: older ones and those beyond the number per maker are pruned. */
export const statusesKept = { milliseconds: 72 * 3_600_000, perMaker: 10_000 }

/** A pool's floating rate at the first block at or after an hour. */
export type RatePoint = {
  poolId: Hex
  /** A full hour, Unix seconds. */
  hour: number
  block: bigint
  /** WAD per second. */
  ratePerSec: bigint
}

/** Points to add, atomically. */
export type NewRatePoints = {
  points: readonly RatePoint[]
  /**
   * The block on whose chain they were read. If it is not among the retained blocks, the write fails with a {@link
   * CursorMovedError}: it was undone since, or is too old to verify.
   */
  asOf: SyncedBlock
  /** Points of earlier hours and days are pruned in batches. Unix seconds. */
  keepFrom: number
}

/**
 * A range of points, inclusive at both ends, Unix seconds; `step` is 3,600, or 86,400 for the first point of each day.
 */
export type RatePointQuery = { poolId: Hex; from: number; to: number; step: number }

/**
 * The best rate of a series that a day's auctions accepted, and the notional of its quote in raw units of the loan
 * token.
 */
export type FixedPoint = {
  seriesKey: Hex
  /** The expiry of the series, Unix seconds. */
  expiry: number
  /** 00:00 UTC, Unix seconds. */
  day: number
  apr: number
  notional: bigint
}

/** The progress of the sync in the store. */
export type SyncPosition = {
  cursor: BlockRef | null
  /** The retained blocks, lowest first; the last is the cursor. */
  blocks: SyncedBlock[]
}

/**
 * The service's database. A promise resolves only when the data is on disk. It rejects with {@link
 * StorageUnavailableError} otherwise, and then has stored no data, unless the error is an {@link OutcomeUnknownError}.
 */
export type Store = {
  /** Binds the database to a chain and market, or throws {@link WrongDatabaseError} when it belongs to others. */
  claim(identity: { chainId: number; genesisHash: Hex; quoteMarket: Address }): Promise<void>
  /**
   * Stores a published quote. `created` is false when it existed; `record` is then unchanged. A quote that an auction
   * accepted first remains its borrower's, as `record.listed` tells.
   *
   * @param limit checked in the same transaction by a store that several instances share. A single process has already
   * counted its pending quotes.
   */
  insertQuote(quote: NewQuote, limit?: PublishedLimit): Promise<Publication>
  findQuote(hash: Hex): Promise<QuoteRecord | null>
  /**
   * Published, active quotes whose deadline is not before `now` (Unix seconds) and whose series has not ended by then.
   * A page may be shorter than the limit, even empty, with more to come.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is from another store or order.
   */
  listQuotes(filters: QuoteFilters, now: bigint): Promise<QuoteRecordPage>
  /**
   * A maker's published quotes with this status as of `now` (Unix seconds), latest deadline first; default limit 50.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor belongs to another list.
   */
  listPublishedQuotes(
    filters: PublishedQuoteFilters,
    now: bigint,
  ): Promise<{ quotes: QuoteRecord[]; nextCursor: string | null }>
  /**
   * Published, active quotes of a series without a designated taker whose deadline is not before `now`, best rate
   * first.
   */
  listOffers(filters: OfferFilters, now: bigint): Promise<NewQuote[]>
  /** The number of a maker's published, active quotes whose deadline is not before `now` (Unix seconds). */
  countQuotes(maker: Address, now: bigint): Promise<number>
  /**
   * The notionals of makers' published, active quotes whose deadline is not before `now` (Unix seconds), summed per
   * maker and pool.
   */
  listCommitments(makers: readonly Address[], now: bigint): Promise<Commitment[]>
  /**
   * Writes an auction's row, which all its other data refers to. Writes no row if another auction was opened with
   * the key within {@link keyLifetimeMs}. Repeating the call changes nothing.
   */
  openAuction(auction: NewAuction): Promise<OpenedAuction>
  /** The auction of a key, unless it was opened before `since` (Unix milliseconds). */
  findAuctionByKey(key: Hex, since: number): Promise<KeyedAuction | null>
  /**
   * Adds a quote to an auction, in a transaction that conflicts with {@link Store.closeAuction} on the auction's row:
   * the quote is either in the result or refused. The first matching rule decides: a quote that is already stored is
   * `accepted` again, even after the close; an auction that is closed, or whose `closesAt` is not after `at`, is
   * `closed`; a maker with another quote is `quoted`. The quote becomes an observation at the close.
   *
   * @param at the auction's time, Unix milliseconds by the caller's monotonic clock. A store that uses it decides
   * writes in call order, even those with an unknown outcome: after a quote was refused for its time, no earlier call
   * can store it. A store shared by several machines uses its own clock instead, which grows from call to call.
   * @throws {OutcomeUnknownError} when the quote may be stored or not; repeating the call reveals the outcome.
   */
  acceptQuote(quote: NewAuctionQuote, at: number): Promise<AcceptOutcome>
  /**
   * Closes an auction after its deadline and returns its rows after `knownCount`. `closedNow` is true for the one call
   * that closed it. The result is written in the same transaction and never changes; a later call returns it. Null for
   * an unknown auction or when `at` is before its deadline.
   *
   * @throws {OutcomeUnknownError} when it may be closed or not; repeating the call reveals the outcome.
   */
  closeAuction(close: NewClose): Promise<{ closedNow: boolean; auction: AuctionRecord } | null>
  /** An auction with its rows after `knownCount`, by default all. */
  findAuction(id: { rfqId: RfqId } | { publicRfqId: PublicRfqId }, knownCount?: number): Promise<AuctionRecord | null>
  /** An auction's row of one maker; null for an unknown auction. */
  findAuctionEntry(publicRfqId: PublicRfqId, maker: Address): Promise<AuctionEntry | null>
  /**
   * The number of auctions that a verified taker opened since a time, and of positions that it opened as borrower since
   * a block.
   */
  countTaker(query: TakerQuery): Promise<TakerCounts>
  /** The open auctions, earliest deadline first. */
  listOpenAuctions(): Promise<{ publicRfqId: PublicRfqId; lastSeq: number }[]>
  /** Quotes of closed auctions, newest first; default limit 50. */
  listObservations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<ObservationRecord[]>
  /**
   * All quotes of a maker, published and from auctions, newest first; default limit 50. `status` is as of `now` (Unix
   * seconds). A page may be shorter than the limit, even empty, with more to come.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor belongs to another list.
   */
  listMakerQuotes(maker: Address, filters: MakerQuoteFilters, now: bigint): Promise<MakerQuotePage>
  /**
   * The closed auctions that accepted a quote of a maker, last opened first; default limit 50. A page may be shorter
   * than the limit, with more to come.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor belongs to another list.
   */
  listMakerAuctions(maker: Address, page: PageFilters): Promise<MakerAuctionPage>
  /**
   * Adds the floating rates of some hours. Existing points stay unchanged; points of undone blocks are removed by
   * {@link Store.rollBack}.
   */
  addRatePoints(given: NewRatePoints): Promise<void>
  /** The points of a pool, oldest first. */
  listRatePoints(query: RatePointQuery): Promise<RatePoint[]>
  /** The points of all pools in an inclusive range of hours, newest first, without their rates. */
  listRateHours(range: { from: number; to: number }): Promise<Omit<RatePoint, 'ratePerSec'>[]>
  /**
   * The best rates by series and day from a pool's closed auctions, sorted by expiry and day: at most `limit`, the
   * newest days. Quotes whose contract was unproven at arrival are left out.
   */
  listFixedPoints(query: { poolId: Hex; from: number; to: number; limit: number }): Promise<FixedPoint[]>
  findSyncPosition(): Promise<SyncPosition>
  /**
   * Adds events and moves the cursor. In the same transaction it ends the stored quotes that the events end and adds
   * status updates.
   */
  applyBlocks(update: ChainUpdate): Promise<void>
  /**
   * Removes everything above a block, or everything, and moves the cursor to that block. In the same transaction it
   * reopens stored quotes and adds status updates.
   */
  rollBack(undoing: ChainUndoing): Promise<void>
  /**
   * Acquires or renews the lease on following the chain; returns whether `holder` has it. It saves the other instances
   * the reads. Late writes of an earlier holder are rejected by the cursor, not by the lease. A store of one process
   * always grants it.
   *
   * @param milliseconds the duration of the lease, by a clock that all holders share.
   */
  holdLease(holder: string, milliseconds: number): Promise<boolean>
  /**
   * Repeats, as final, the status updates of blocks up to this one, oldest first, at most 500 per call. Does nothing if
   * the block is not the newest one with an event at or below its number, because it was then undone.
   *
   * @param at Unix milliseconds.
   */
  finalize(block: SyncedBlock, at: number): Promise<void>
  /** The lowest block with a status update that is not final; null for none. */
  findUnfinalizedBlock(): Promise<bigint | null>
  /** A maker's status updates after a `seq`, up to a limit. */
  listStatuses(maker: Address, page: { after: number; limit: number }): Promise<StatusUpdatePage>
  /** Status updates of all makers after a cursor; without one, only the current cursor. */
  listPendingUpdates(after: number | null): Promise<PendingUpdates>
  /** The newest block at or below a number that left an event in the store. */
  findCheckpoint(atMost: bigint): Promise<SyncedBlock | null>
  listPools(): Promise<Pool[]>
  /** Series of one pool or of all, soonest expiry first, including expired ones. */
  listSeries(poolId?: Hex): Promise<Series[]>
  /** The largest fill of each maker in each series, from a block on. */
  listLargestFills(makers: readonly Address[], from: bigint): Promise<Fill[]>
  /** The unsettled positions of an account as maker or borrower, oldest first. */
  listOpenPositions(account: Address): Promise<Position[]>
  /**
   * A page of an account's positions as maker or borrower, all as of one block.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is from another store or status.
   */
  listPositions(query: PositionQuery): Promise<PositionPage>
  /** Resolves if the database answers. */
  ping(): Promise<void>
  /** The size of the database. */
  size(): Promise<DatabaseSize>
  /** Performs an empty write, which resolves if the database is writable. */
  probe(): Promise<void>
  /**
   * The result of the integrity check, which starts at the opening and takes a while. `bad` is permanent; the store
   * then refuses writes, and {@link Store.ping} fails.
   */
  integrity(): 'checking' | 'ok' | 'bad'
  /** Flushes pending writes, then closes. */
  close(): Promise<void>
}

/** The methods of a store that change rows. */
export const storeWrites = [
  'claim',
  'insertQuote',
  'openAuction',
  'acceptQuote',
  'closeAuction',
  'applyBlocks',
  'rollBack',
  'holdLease',
  'finalize',
  'addRatePoints',
] as const satisfies readonly (keyof Store)[]

/** One of {@link storeWrites}. */
export type StoreWrite = (typeof storeWrites)[number]
