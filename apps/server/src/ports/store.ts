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

/** A quote on its way into the store. */
export type NewQuote = {
  hash: Hex
  quote: SignedQuote
  apr: number
  /** Unix milliseconds. */
  createdAt: number
}

/** How many published, active quotes a maker may have whose deadline is not before `now` (Unix seconds). */
export type PublishedLimit = { most: number; now: bigint }

/** What a publication has come to; without a record nothing was stored, since the maker has `open` such quotes already. */
export type Publication = { created: boolean; record: QuoteRecord } | { created: false; record: null; open: number }

/** An auction that is to be opened. */
export type NewAuction = Pick<AuctionRecord, 'rfq' | 'publicRfqId' | 'backers'> & {
  /** The key that its borrower has sent; null for none. */
  key: AuctionKey | null
}

/** Two SHA-256 hashes: of the borrower's `Idempotency-Key`, which is never kept itself, and of what was asked with it. */
export type AuctionKey = { key: Hex; request: Hex }

/** How long a key means its auction, in milliseconds after the opening; then it is forgotten. */
export const keyLifetimeMs = 86_400_000

/** What became of an opening: `existing` is the auction that has the same key. */
export type OpenedAuction = { opened: true } | { opened: false; existing: KeyedAuction }

/** The auction of a key, and the hash of what was asked with it. */
export type KeyedAuction = { rfqId: RfqId; request: Hex }

/** A quote that an auction may accept: its verdict is positive. `arrival` is Unix microseconds of the auction's time. */
export type NewAuctionQuote = Omit<AcceptedQuote, 'seq'> & { publicRfqId: PublicRfqId }

/** What an auction has made of a quote. */
export type AcceptOutcome =
  /** It is on disk, now or since it came first; `receivedAt` is of the first time. */
  | { status: 'accepted'; seq: number; receivedAt: number }
  /** It is not, and never will be: the auction is closed, or its time is over. */
  | { status: 'closed'; closedAt: number }
  /** Its maker has another quote in the auction. */
  | { status: 'quoted'; hash: Hex }
  | { status: 'unknown_auction' }

/**
 * The end of an auction that is to be written. `at` is Unix milliseconds of the auction's time. A caller that knows the first
 * so many rows (`knownCount`, 0 by default) is not given them again.
 */
export type NewClose = { publicRfqId: PublicRfqId; at: number; knownCount?: number } & Pick<
  AuctionClose,
  'rejectedCount' | 'interrupted'
>

/** What an auction holds of one maker; `closedAt` is null while it is open. */
export type AuctionEntry = {
  closesAt: number
  closedAt: number | null
  accepted: { hash: Hex; receivedAt: number } | null
}

/**
 * A quote as it is kept. Who may see its signature is not the store's business. Its status follows from the synced
 * events; that time alone has ended it shows only in its deadline and `seriesExpiry`.
 */
export type QuoteRecord = NewQuote & {
  status: Exclude<QuoteStatus, 'expired'>
  /** When its series ends, Unix seconds; absent until the series has been synced. */
  seriesExpiry?: number
  /** Where its end was seen on the chain. */
  seenAt?: NonNullable<StoredQuote['seenAt']>
  /** Whether its maker has published it; false for a quote that only an auction has seen. */
  listed: boolean
  /** There while none but open auctions have it: it is to be seen by their borrowers alone. */
  secret?: true
}

/** A published, active quote of a list. */
export type ListedRecord = {
  /** Its hash, signed quote, apr and createdAt in one JSON object, as they travel. */
  text: string
  /** All of it, which costs several times as much as its text. */
  parse(): QuoteRecord
}

/** Which published quotes of a maker are wanted, by what has become of them. */
export type PublishedQuoteFilters = Pick<QuoteFilters, 'limit' | 'cursor'> & {
  maker: Address
  status: Exclude<NonNullable<QuoteFilters['status']>, 'active'>
}

/** Which offers of a series are wanted: of so many raw units at least and at most, and so many, of one maker and of all. */
export type OfferFilters = {
  seriesKey: Hex
  least: bigint
  most: bigint
  perMaker: number
  limit: number
  /** Makers that are left out, lower-case. */
  without: ReadonlySet<string>
}

/** One page of a list. */
export type QuoteRecordPage = { quotes: ListedRecord[]; nextCursor: string | null }

/** A quote as its maker may see it; `publicRfqId` is the last auction that has accepted it. */
export type MakerQuoteRecord = QuoteRecord & { publicRfqId?: PublicRfqId }

/** One page of a maker's quotes. */
export type MakerQuotePage = { quotes: MakerQuoteRecord[]; nextCursor: string | null }

/** One page of auctions that hold a quote of a maker. */
export type MakerAuctionPage = { auctions: AuctionRecord[]; nextCursor: string | null }

/** A quote that a closed auction had accepted. */
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

/** What a maker promises in a pool, in raw units of its loan token. */
export type Commitment = { maker: Address; poolId: Hex; notional: bigint }

/** The largest quote of a maker that was filled in one series, and the series' cap, in raw units of the loan token. */
export type Fill = { maker: Address; notional: bigint; cap: bigint }

/** What of a taker is counted: `since` is Unix milliseconds, `from` a block, and counting ends at `most`. */
export type TakerQuery = { taker: Address; since: number; from: bigint; most: number }

/** Which positions of an account are wanted; `open` has the oldest first, the others have the newest first. */
export type PositionQuery = { account: Address; status: 'open' | 'settled' | 'all'; limit: number; cursor?: string }

/** A position as it is kept, with what its pool and its series say; `settlement` is null while it is open. */
export type PositionRecord = Position & {
  loanToken: Address
  /** Unix seconds. */
  expiry: number
  settlement: Settlement | null
}

/** One page of an account's positions as of `block`, the newest whose events are in the store; null in an empty store. */
export type PositionPage = {
  block: BlockRef | null
  positions: PositionRecord[]
  /** The series of the open ones. */
  openSeries: OpenedSeries[]
  nextCursor: string | null
}

/** A block that was synced. */
export type SyncedBlock = Pick<BlockRef, 'number' | 'hash'>

/** What the sync has found out, to be applied whole or not at all. */
export type ChainUpdate = {
  /** The cursor that this goes on from; when the store has another one, nothing is applied, with a {@link CursorMovedError}. */
  after: SyncedBlock | null
  /** Where the store stands afterwards. */
  cursor: BlockRef
  /** Blocks to remember for comparison, the cursor among them. */
  blocks: readonly SyncedBlock[]
  events: readonly ChainEvent[]
  /** How many blocks behind the cursor are remembered. */
  keep: number
  /** When, Unix milliseconds. */
  at: number
}

/** What the sync undoes, whole or not at all. */
export type ChainUndoing = {
  /** The cursor that was found; when the store has another one, nothing is undone, with a {@link CursorMovedError}. */
  from: SyncedBlock | null
  /** The block that is to be the newest again; null for none. */
  to: BlockRef | null
  /** When, Unix milliseconds. */
  at: number
}

/** What a maker is told of one of its quotes, as it travels. */
export type StatusUpdateRecord = Omit<QuoteStatusMessage, 'type'>

/** Some of what a maker was told, in the order of the numbers, and which numbers are kept; `oldest` is one above `newest` for none. */
export type StatusUpdatePage = { statuses: StatusUpdateRecord[]; oldest: number; newest: number }

/** What makers were told after a place, in that order, at most 1,000; `last` is the place of the last of it. */
export type PendingUpdates = { last: number; told: { maker: Address; status: StatusUpdate; final: boolean }[] }

/** How long what a maker was told is kept, and how much of it: what is older, or more, is forgotten. */
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

/** Points to be added, whole or not at all. */
export type NewRatePoints = {
  points: readonly RatePoint[]
  /**
   * The block by whose chain they were read. Where it is not among the blocks that the store remembers, nothing is added, with a
   * {@link CursorMovedError}: it was undone meanwhile, or lies too far back for anyone to know.
   */
  asOf: SyncedBlock
  /** Points of earlier hours and days are forgotten, some at a time. Unix seconds. */
  keepFrom: number
}

/** Which points are wanted: both ends are inside, Unix seconds; `step` is 3,600, or 86,400 for the first of each day. */
export type RatePointQuery = { poolId: Hex; from: number; to: number; step: number }

/** The best rate of a series that the auctions of a day have accepted, and the size of its quote in raw units of the loan token. */
export type FixedPoint = {
  seriesKey: Hex
  /** When the series ends, Unix seconds. */
  expiry: number
  /** 00:00 UTC, Unix seconds. */
  day: number
  apr: number
  notional: bigint
}

/** How far the events of the chain are in the store. */
export type SyncPosition = {
  cursor: BlockRef | null
  /** The blocks that are remembered, lowest first; the last is the cursor. */
  blocks: SyncedBlock[]
}

/**
 * What is kept. A promise resolves only when the data is on disk; it rejects with {@link StorageUnavailableError}
 * when it is not, and then nothing was stored.
 */
export type Store = {
  /** Remembers which chain and market the data belongs to, or throws {@link WrongDatabaseError} when they are others. */
  claim(identity: { chainId: number; genesisHash: Hex; quoteMarket: Address }): Promise<void>
  /**
   * Stores a published quote. `created` is false when it was there before: then `record` is as it was. A quote that an
   * auction had accepted first stays its borrower's, which `record.listed` says.
   *
   * @param limit what a store that several instances share checks in the same transaction; where one process has the store, it
   * has counted what is under way itself.
   */
  insertQuote(quote: NewQuote, limit?: PublishedLimit): Promise<Publication>
  findQuote(hash: Hex): Promise<QuoteRecord | null>
  /**
   * Published, active quotes whose deadline is not before `now` (Unix seconds), and whose series has not ended by then. A page may be
   * shorter than asked for, also empty, with more to come.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is none of this store's or of another order.
   */
  listQuotes(filters: QuoteFilters, now: bigint): Promise<QuoteRecordPage>
  /**
   * What a maker has published and what is still kept of it, by what has become of it until `now` (Unix seconds), the latest
   * deadline first; 50 unless a limit is given.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is of another list.
   */
  listPublishedQuotes(
    filters: PublishedQuoteFilters,
    now: bigint,
  ): Promise<{ quotes: QuoteRecord[]; nextCursor: string | null }>
  /** Published, active quotes of a series that anyone may take and whose deadline is not before `now`, the best rate first. */
  listOffers(filters: OfferFilters, now: bigint): Promise<NewQuote[]>
  /** How many published, active quotes a maker has whose deadline is not before `now` (Unix seconds). */
  countQuotes(maker: Address, now: bigint): Promise<number>
  /** What makers have promised, added up per maker and pool: their published, active quotes whose deadline is not before `now` (Unix seconds). */
  listCommitments(makers: readonly Address[], now: bigint): Promise<Commitment[]>
  /**
   * Writes the row of an auction, which everything else about it refers to. With a key that another auction has had since
   * {@link keyLifetimeMs}, nothing is written. The same auction again changes nothing.
   */
  openAuction(auction: NewAuction): Promise<OpenedAuction>
  /** The auction of a key, unless it was opened before `since` (Unix milliseconds). */
  findAuctionByKey(key: Hex, since: number): Promise<KeyedAuction | null>
  /**
   * Adds a quote to an auction, in one transaction that meets {@link Store.closeAuction} on the auction's row: either the
   * quote is in the result, or it was refused. In this order: a quote that is there already is `accepted` again, also after
   * the close; an auction that is closed, or whose `closesAt` is not after `at`, is `closed`; a maker has one quote.
   * It shows as an observation once the auction is closed.
   *
   * @param at the auction's time, Unix milliseconds by the caller's monotonic clock. A store that goes by it decides writes in
   * the order in which they were asked, also one whose outcome it does not tell: what was refused for its time cannot be
   * stored by an earlier call. One that several machines share goes by its own clock instead, which grows from call to call.
   * @throws {OutcomeUnknownError} when it is not known whether the quote is stored: the same call again finds out.
   */
  acceptQuote(quote: NewAuctionQuote, at: number): Promise<AcceptOutcome>
  /**
   * Closes an auction whose time is over, and gives its rows after `knownCount`: `closedNow` is true for the one call that has closed it. The
   * result is written in the same transaction, and never changes: one that is closed already is given as it is. Null when
   * there is none, or `at` is before its end.
   *
   * @throws {OutcomeUnknownError} when it is not known whether it is closed: the same call again finds out.
   */
  closeAuction(close: NewClose): Promise<{ closedNow: boolean; auction: AuctionRecord } | null>
  /** An auction with its rows after `knownCount`, by default all. */
  findAuction(id: { rfqId: RfqId } | { publicRfqId: PublicRfqId }, knownCount?: number): Promise<AuctionRecord | null>
  /** What an auction holds of one maker; null when there is no such auction. */
  findAuctionEntry(publicRfqId: PublicRfqId, maker: Address): Promise<AuctionEntry | null>
  /** How many auctions a verified taker has opened since a time, and how many positions it has opened as borrower since a block. */
  countTaker(query: TakerQuery): Promise<TakerCounts>
  /** The open auctions, the first to close first. */
  listOpenAuctions(): Promise<{ publicRfqId: PublicRfqId; lastSeq: number }[]>
  /** Quotes of closed auctions, newest first; 50 unless a limit is given. */
  listObservations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<ObservationRecord[]>
  /**
   * All quotes of a maker, published and of auctions, newest first; 50 unless a limit is given. `status` is that at `now` (Unix
   * seconds). A page may be shorter than asked for, also empty, with more to come.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is none of this list.
   */
  listMakerQuotes(maker: Address, filters: MakerQuoteFilters, now: bigint): Promise<MakerQuotePage>
  /**
   * The closed auctions that have accepted a quote of a maker, the last one opened first; 50 unless a limit is given. A page may be
   * shorter than asked for, with more to come.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is none of this list.
   */
  listMakerAuctions(maker: Address, page: PageFilters): Promise<MakerAuctionPage>
  /**
   * Keeps the floating rates of some hours. A point that is there already stays as it is; those of blocks that are undone go with
   * them ({@link Store.rollBack}).
   */
  addRatePoints(given: NewRatePoints): Promise<void>
  /** The points of a pool, oldest first. */
  listRatePoints(query: RatePointQuery): Promise<RatePoint[]>
  /** The points of all pools from an hour through another one, the newest hour first, without their rates. */
  listRateHours(range: { from: number; to: number }): Promise<Omit<RatePoint, 'ratePerSec'>[]>
  /**
   * The best rates by series and day from the closed auctions of a pool, by expiry and day: at most `limit`, the newest days.
   * Quotes of contracts that were unproven when they came are no part of it.
   */
  listFixedPoints(query: { poolId: Hex; from: number; to: number; limit: number }): Promise<FixedPoint[]>
  findSyncPosition(): Promise<SyncPosition>
  /** Adds events and moves the cursor; stored quotes that they end are ended, which their makers are told in the same step. */
  applyBlocks(update: ChainUpdate): Promise<void>
  /**
   * Removes everything above a block, or everything; stored quotes that become open again are, which their makers are told in
   * the same step. The cursor is then that block.
   */
  rollBack(undoing: ChainUndoing): Promise<void>
  /**
   * Takes the lease of who follows the chain, or keeps it: true while it is the holder's. It spares the others the reading; that
   * a late write of its last holder changes nothing is due to the cursor alone. A store of one process always gives it.
   *
   * @param milliseconds how long it is given for, by the clock of what the holders share.
   */
  holdLease(holder: string, milliseconds: number): Promise<boolean>
  /**
   * Tells once more, as final, what was told of blocks up to this one, the oldest first, at most 500 at once. Nothing happens
   * when the block is not the newest at or below its number that has left an event: then it was undone.
   *
   * @param at Unix milliseconds.
   */
  finalize(block: SyncedBlock, at: number): Promise<void>
  /** The lowest block of what was told and is not final; null for nothing. */
  findUnfinalizedBlock(): Promise<bigint | null>
  /** What a maker was told after a number, at most so much. */
  listStatuses(maker: Address, page: { after: number; limit: number }): Promise<StatusUpdatePage>
  /** What all makers were told after a place; without one, nothing but the place of the last. */
  listPendingUpdates(after: number | null): Promise<PendingUpdates>
  /** The newest block at or below a number that left an event in the store. */
  findCheckpoint(atMost: bigint): Promise<SyncedBlock | null>
  listPools(): Promise<Pool[]>
  /** Series of one pool or of all, soonest expiry first, expired ones included. */
  listSeries(poolId?: Hex): Promise<Series[]>
  /** What of the makers' quotes was filled in the blocks from a number on: the largest of each maker in each series. */
  listLargestFills(makers: readonly Address[], from: bigint): Promise<Fill[]>
  /** The positions that an account has as maker or borrower and that are not settled, oldest first. */
  listOpenPositions(account: Address): Promise<Position[]>
  /**
   * A page of the positions that an account has as maker or borrower, all of it as of one block.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is none of this store's or of another status.
   */
  listPositions(query: PositionQuery): Promise<PositionPage>
  /** Whether the database answers. */
  ping(): Promise<void>
  /** How large it is. */
  size(): Promise<DatabaseSize>
  /** Writes something that means nothing: whether the database can be written to. */
  probe(): Promise<void>
  /**
   * Whether what is kept is whole: looked at after the opening, which takes a while, and `bad` for good as soon as damage shows.
   * Then nothing is written any more, and {@link Store.ping} fails.
   */
  integrity(): 'checking' | 'ok' | 'bad'
  /** Writes what is waiting, then closes. */
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
