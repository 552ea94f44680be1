// This file is long because it documents every method of the port that both databases implement.

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
import type { AcceptedQuote, AuctionClose, AuctionRecord, QuoteLeaf } from '../domain/auctionRecord.ts'
import type { DatedPrice, FillMedian } from '../domain/fillMedian.ts'
import type { StatusUpdate } from '../domain/statusUpdate.ts'
import type { TakerCounts } from '../domain/takerRecord.ts'
import type { Ending } from '../domain/transcript.ts'
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

/** Maximum number of a maker's published, active quotes whose deadline is at or after `now` (Unix seconds). */
export type PublishedLimit = { most: number; now: bigint }

/**
 * The result of a publication. `record` is null if the quote was not stored because the maker already has `open` such
 * quotes.
 */
export type Publication = { created: boolean; record: QuoteRecord } | { created: false; record: null; open: number }

/** An auction to open. */
export type NewAuction = Pick<AuctionRecord, 'rfq' | 'publicRfqId' | 'backers'> & {
  /** The idempotency key of the borrower's request; null if it has none. */
  key: AuctionKey | null
  /** Makes the auction provable: 32 random bytes. Only stores with {@link Store.proofs} use it. */
  secret?: Hex
}

/**
 * SHA-256 hashes of the request and of the borrower's `Idempotency-Key`. The `Idempotency-Key` itself is never stored.
 */
export type AuctionKey = { key: Hex; request: Hex }

/** Milliseconds after an auction opens during which its key identifies it. */
export const keyLifetimeMs = 86_400_000

/** The result of opening an auction. `existing` is the earlier auction with this key. */
export type OpenedAuction = { opened: true } | { opened: false; existing: KeyedAuction }

/** An auction with a given key, and the hash of its request. */
export type KeyedAuction = { rfqId: RfqId; request: Hex }

/**
 * A quote that passed its checks and is offered to an auction. `arrival` is in Unix microseconds of the auction's
 * clock.
 */
export type NewAuctionQuote = Omit<AcceptedQuote, 'seq' | 'status'> & { publicRfqId: PublicRfqId }

/** The result of {@link Store.acceptQuote}. */
export type AcceptOutcome =
  /** The quote is on disk, from this call or an earlier one. `receivedAt` is the time of the first call. */
  | {
      status: 'accepted'
      seq: number
      receivedAt: number
      /** The hash of the quote's leaf in the transcript, if this call stored the quote and the auction is provable. */
      leaf?: Hex
    }
  /** The quote is not stored and never will be, because the auction is closed or past its deadline. */
  | { status: 'closed'; closedAt: number }
  /** The maker already has another quote in the auction. */
  | { status: 'quoted'; hash: Hex }
  | { status: 'unknown_auction' }

/**
 * The close of an auction. `at` is in Unix milliseconds of the auction's clock. The result omits the first `knownCount`
 * rows (default: 0). `ending` holds if the auction is closed by this call, and has no other rows.
 */
export type NewClose = { publicRfqId: PublicRfqId; at: number; knownCount?: number; ending?: Ending } & Pick<
  AuctionClose,
  'rejectedCount' | 'interrupted'
>

/** One maker's row in an auction. `closedAt` is null while the auction is open. */
export type AuctionEntry = {
  closesAt: number
  closedAt: number | null
  accepted: { hash: Hex; receivedAt: number } | null
}

/**
 * A stored quote. The caller decides who may see the signature. The status reflects only synced events: derive expiry
 * from the quote's deadline and `seriesExpiry`.
 */
export type QuoteRecord = NewQuote & {
  status: Exclude<QuoteStatus, 'expired'>
  /** Expiry of the quote's series, in Unix seconds. Absent until the sync has stored the series. */
  seriesExpiry?: number
  /** The block in which the sync saw the quote end. */
  seenAt?: NonNullable<StoredQuote['seenAt']>
  /** Whether the maker published the quote, as opposed to only submitting it to an auction. */
  listed: boolean
  /** Present while the quote is only in open auctions, and so visible only to their borrowers. */
  secret?: true
}

/** A published, active quote in a list. */
export type ListedRecord = {
  /** One JSON object in wire format with the hash, signed quote, apr as of the creation, and createdAt. */
  text: string
  /** Parses the whole record, which is several times slower than reading `text`. */
  parse(): QuoteRecord
}

/** Filters a maker's published quotes by status. */
export type PublishedQuoteFilters = Pick<QuoteFilters, 'limit' | 'cursor'> & {
  maker: Address
  status: Exclude<NonNullable<QuoteFilters['status']>, 'active'>
}

/** Filters published quotes. A list sorted by rate omits the series in `withoutSeries`. */
export type ListFilters = QuoteFilters & { withoutSeries?: ReadonlySet<Hex> }

/** Filters a series' offers by notional in raw units, and limits their number per maker and in total. */
export type OfferFilters = {
  seriesKey: Hex
  least: bigint
  most: bigint
  perMaker: number
  limit: number
  /**
   * Makers to skip. Pass the same array while it does not change, because its encoding is remembered. A second, short
   * list may change with every call.
   */
  without?: readonly Address[]
  alsoWithout?: readonly Address[]
}

/** One page of a list. */
export type QuoteRecordPage = { quotes: ListedRecord[]; nextCursor: string | null }

/** A quote in the form that its maker may see. `publicRfqId` identifies the last auction that accepted the quote. */
export type MakerQuoteRecord = QuoteRecord & { publicRfqId?: PublicRfqId }

/** One page of a maker's quotes. */
export type MakerQuotePage = { quotes: MakerQuoteRecord[]; nextCursor: string | null }

/** One page of auctions that include a quote from a given maker. */
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

/** A maker's committed notional in a pool, in raw units of the pool's loan token. */
export type Commitment = { maker: Address; poolId: Hex; notional: bigint }

/** A maker's largest filled quote in one series, and the series' cap, both in raw units of the pool's loan token. */
export type Fill = { maker: Address; poolId: Hex; notional: bigint; cap: bigint }

/**
 * Events to count for a taker: RFQs since `since` (Unix milliseconds) and fills since block `from`. Each count stops at
 * `most`.
 */
export type TakerQuery = { taker: Address; since: number; from: bigint; most: number }

/**
 * Filters an account's positions. `open` lists the oldest positions first; the other statuses list the newest first.
 */
export type PositionQuery = { account: Address; status: 'open' | 'settled' | 'all'; limit: number; cursor?: string }

/** A stored position with data from its pool and series. `settlement` is null while the position is open. */
export type PositionRecord = Position & {
  loanToken: Address
  /** Unix seconds. */
  expiry: number
  settlement: Settlement | null
}

/**
 * One page of an account's positions as of `block`, the newest block whose events are stored; null if there is none.
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

/** One sync step, applied atomically. */
export type ChainUpdate = {
  /**
   * The cursor to extend. If the store's cursor differs, the step fails with a {@link CursorMovedError}.
   */
  after: SyncedBlock | null
  /** The cursor after the step. */
  cursor: BlockRef
  /** Number of blocks to retain for comparison, including the cursor. */
  blocks: readonly SyncedBlock[]
  events: readonly ChainEvent[]
  /** Number of blocks up to the cursor to retain. */
  keep: number
  /** The time of the step, in Unix milliseconds. */
  at: number
}

/** A sync rollback, applied atomically. */
export type ChainUndoing = {
  /** The cursor as read earlier. If the store's cursor differs, the rollback fails with a {@link CursorMovedError}. */
  from: SyncedBlock | null
  /** The block to roll back to, or null to remove every block. */
  to: BlockRef | null
  /** The time of the rollback, in Unix milliseconds. */
  at: number
}

/** A quote's status update, in wire format. */
export type StatusUpdateRecord = Omit<QuoteStatusMessage, 'type'>

/**
 * Status updates ordered by `seq`, and the range of retained sequence numbers. `oldest` is `newest` + 1 if no updates
 * are retained.
 */
export type StatusUpdatePage = { statuses: StatusUpdateRecord[]; oldest: number; newest: number }

/** Up to 1,000 updates for all makers after a cursor, in order. `last` is the cursor of the last update. */
export type PendingUpdates = { last: number; told: { maker: Address; status: StatusUpdate; final: boolean }[] }

/** Retention of status updates. Updates that are older or exceed the per-maker limit are pruned. */
export const statusesKept = { milliseconds: 72 * 3_600_000, perMaker: 10_000 }

/** A pool's floating rate at the first block at or after an hour. */
export type RatePoint = {
  poolId: Hex
  /** The start of an hour, in Unix seconds. */
  hour: number
  block: bigint
  /** WAD per second. */
  ratePerSec: bigint
}

/** Rate points to add atomically. */
export type NewRatePoints = {
  points: readonly RatePoint[]
  /**
   * A block on the chain from which the rates were read. The write fails with a {@link CursorMovedError} if the block
   * is not retained: it was reorganized away or is too old to verify.
   */
  asOf: SyncedBlock
  /** Offers that stood. For each series and day, the offer with the lowest rate is retained. */
  offers?: readonly OfferDay[]
  /** Points before this time are pruned in batches. Unix seconds. */
  keepFrom: number
}

/**
 * An inclusive time range in Unix seconds. `step` is 3,600 to return every point, or 86,400 to return the first point
 * of each day.
 */
export type RatePointQuery = { poolId: Hex; from: number; to: number; step: number }

/** The cost of one day's dated fills in a series, counting at most the {@link fillsOfDay} largest. */
export type FillDay = Omit<FillMedian, 'price'> & {
  /** The fill with the median rate. Absent if an older program wrote the day. */
  price?: DatedPrice
  seriesKey: Hex
  /** Expiry of the series, in Unix seconds. */
  expiry: number
  /** 00:00 UTC, in Unix seconds. */
  day: number
}

/** The best public offer for a series' default size that stood during a day. */
export type OfferDay = {
  seriesKey: Hex
  /** 00:00 UTC, in Unix seconds. */
  day: number
  apr: number
  /** In raw units of the loan token. */
  notional: bigint
  /** The price of the whole notional, and when its rate was measured. Absent if an older program wrote the day. */
  price?: DatedPrice
}

/** Maximum number of fills counted per series and day, largest first. Bounds the work caused by small fills. */
export const fillsOfDay = 1_000

/** An operator's decision. There is at most one of a kind and subject. */
export type ControlRow = {
  kind: string
  subject: string
  /** JSON. */
  body: string
}

/** A change by an operator, as stored. */
export type AuditRecord = {
  id: number
  /** Unix milliseconds. */
  at: number
  /** As the caller states it; unverified. */
  who: string
  command: string
  subject: string | null
  why: string | null
  /** JSON. */
  detail: string
}

/** Controls to put and remove, and the audit entry of the change. */
export type ControlChange = {
  /** The version of the controls on which the change was decided. */
  after: number
  put?: readonly ControlRow[]
  remove?: readonly Pick<ControlRow, 'kind' | 'subject'>[]
  /** `request` identifies the change: repeating it has no effect. */
  entry: Omit<AuditRecord, 'id'> & { request: string }
}

/** All controls. `version` is the ID of the newest audit entry, or 0 if there is none. */
export type StoredControls = { version: number; controls: ControlRow[] }

/** The stored progress of the sync. */
export type SyncPosition = {
  cursor: BlockRef | null
  /** The retained blocks, lowest first. The last retained block is the cursor. */
  blocks: SyncedBlock[]
}

/** A log as stored. */
export type StoredLog = {
  /** The `n` of `/log/<n>`. */
  id: number
  origin: string
  /** The Ed25519 public key that signs checkpoints. */
  publicKey: Uint8Array
  /** The account that signs receipts, in lower case. */
  signer: Address
  /** The committed tree head, and when it was committed, in Unix milliseconds. */
  head: LogHead
  /** Number of entries, including new ones that the tree does not have yet. */
  entries: number
  /** The service's time at the last {@link ProofStore.advanceLog}, in Unix milliseconds. */
  seenAt: number
}

/** A committed tree head. */
export type LogHead = { size: number; root: Uint8Array; at: number }

/** A log entry's place. `log` is the log's `id`. */
export type LogPosition = { log: number; position: number }

/** A provable auction: its record, whose quotes have their `block`, and what else its transcript needs. */
export type ProvableAuction = {
  auction: AuctionRecord
  secret: Hex
  open: LogPosition
  /** The close's entry and the transcript's last record; null while the auction is open. */
  close: (LogPosition & { record: Uint8Array }) | null
}

/** A provable auction's secret and the places of its entries. `close` is null while it is open. */
export type AuctionProofRow = { secret: Hex; open: LogPosition; close: LogPosition | null }

/** The logs and secrets of provable auctions. */
export type ProofStore = {
  /**
   * Opens the first log, whose first entry names the signer of receipts. Returns the newest log, which may be another
   * one.
   */
  startLog(first: Pick<StoredLog, 'origin' | 'publicKey' | 'signer'> & { at: number }): Promise<StoredLog>
  /** Returns the newest log; null if there is none. */
  findLog(): Promise<StoredLog | null>
  /**
   * Adds entries to the newest log's tree, oldest first, at most 4,096 per call, and commits the tree's new head.
   * Returns null and changes nothing if the stored tiles do not match the head. `at` is the service's time, and is stored
   * even if there are no new entries.
   */
  advanceLog(at: number): Promise<StoredLog | null>
  /** When the open auction with the earliest end ends, in Unix milliseconds; null if none is open. */
  findOldestEnd(): Promise<number | null>
  /** Entries from `from` to before `to`, in order. */
  listEntries(log: number, from: number, to: number): Promise<Uint8Array[]>
  /** A tile's hashes so far; null if the tree has none. */
  findTile(log: number, level: number, position: number): Promise<Uint8Array | null>
  /** Finds an auction's secret and entries; null if it is unknown, pruned, or was opened without a secret. */
  findProof(id: { rfqId: RfqId } | { publicRfqId: PublicRfqId }): Promise<AuctionProofRow | null>
  /** Finds a maker's quote in a provable auction, by its hash, and its leaf; null if there is none. */
  findLeaf(publicRfqId: PublicRfqId, maker: Address): Promise<{ quote: Hex; leaf: QuoteLeaf } | null>
  /** Finds a provable auction with all its quotes; null if it is unknown, pruned, or was opened without a secret. */
  findAuction(id: { rfqId: RfqId } | { publicRfqId: PublicRfqId }): Promise<ProvableAuction | null>
}

/**
 * The service's database. Each write's promise resolves only once the data is on disk, and otherwise rejects with
 * {@link StorageUnavailableError}. A rejected write stored nothing, unless the error is an {@link OutcomeUnknownError}.
 */
export type Store = {
  /**
   * Binds the database to a chain and market. Throws {@link WrongDatabaseError} if the database is bound to a different
   * chain or market.
   */
  claim(identity: { chainId: number; genesisHash: Hex; quoteMarket: Address }): Promise<void>
  /**
   * Stores a published quote. `created` is false if the quote was already stored; `record` is then unchanged. A quote
   * that an auction accepted before it was published stays unlisted: `record.listed` is false.
   *
   * @param limit checked in the same transaction.
   */
  insertQuote(quote: NewQuote, limit?: PublishedLimit): Promise<Publication>
  findQuote(hash: Hex): Promise<QuoteRecord | null>
  /**
   * Published, active quotes whose deadline is at or after `now` (Unix seconds) and whose series has not expired. A
   * page may be shorter than the limit, or empty, even when more pages follow.
   *
   * A list sorted by rate is ordered by effective APY at the time of its first page, and within a series by exact
   * price. Unless it has a series, it omits quotes whose series the sync has not stored.
   *
   * @param without makers whose quotes are omitted if the list is sorted by rate. Pass the same array while it does not
   * change.
   * @throws {InvalidInputError} with path `cursor` if the cursor is from another store or sort order.
   */
  listQuotes(filters: ListFilters, now: bigint, without?: readonly Address[]): Promise<QuoteRecordPage>
  /**
   * Lists a maker's published quotes with this status as of `now` (Unix seconds), latest deadline first. Default limit:
   * 50.
   *
   * @throws {InvalidInputError} with path `cursor` if the cursor belongs to another list.
   */
  listPublishedQuotes(
    filters: PublishedQuoteFilters,
    now: bigint,
  ): Promise<{ quotes: QuoteRecord[]; nextCursor: string | null }>
  /**
   * Lists a series' published, active quotes without a designated taker whose deadline is at or after `now`, best
   * price first.
   */
  listOffers(filters: OfferFilters, now: bigint): Promise<NewQuote[]>
  /** Counts a maker's published, active quotes whose deadline is at or after `now` (Unix seconds). */
  countQuotes(maker: Address, now: bigint): Promise<number>
  /**
   * Returns the total notional per maker and pool of published, active quotes whose deadline is at or after `now` (Unix
   * seconds).
   */
  listCommitments(makers: readonly Address[], now: bigint): Promise<Commitment[]>
  /**
   * Writes an auction's row, to which all its other data refers. Writes nothing if another auction was opened with the
   * same key within {@link keyLifetimeMs}. Idempotent.
   */
  openAuction(auction: NewAuction): Promise<OpenedAuction>
  /** Finds the auction with a given key, unless it was opened before `since` (Unix milliseconds). */
  findAuctionByKey(key: Hex, since: number): Promise<KeyedAuction | null>
  /**
   * Adds a quote to an auction. The transaction conflicts with {@link Store.closeAuction} on the auction's row, so the
   * quote is either in the result or refused. The first matching rule decides. A quote that is already stored is
   * `accepted` again, even after the auction closes. If the auction is closed, or its `closesAt` is at or before `at`,
   * the outcome is `closed`. If the maker has another quote in the auction, the outcome is `quoted`. The quote becomes
   * an observation when the auction closes.
   *
   * @param at the auction's time, in Unix milliseconds from the caller's monotonic clock. The store's clock has no
   * effect. While the row is open, `closed` is not final: an earlier call, or an instance whose clock is slower, may
   * still store the quote. Only {@link Store.closeAuction} excludes that.
   * @throws {OutcomeUnknownError} if the quote may or may not be stored; repeating the call reveals the outcome.
   */
  acceptQuote(quote: NewAuctionQuote, at: number): Promise<AcceptOutcome>
  /**
   * Closes an auction after its deadline and returns its rows after `knownCount`. `closedNow` is true only for the call
   * that closed the auction. The result is written in the same transaction and never changes; later calls return it.
   * Returns null if the auction is unknown or `at` is before its deadline.
   *
   * @throws {OutcomeUnknownError} if the auction may or may not be closed; repeating the call reveals the outcome.
   */
  closeAuction(close: NewClose): Promise<{ closedNow: boolean; auction: AuctionRecord } | null>
  /** Returns an auction with its rows after `knownCount` (default: 0). */
  findAuction(id: { rfqId: RfqId } | { publicRfqId: PublicRfqId }, knownCount?: number): Promise<AuctionRecord | null>
  /** Returns one maker's row in an auction; null if the auction is unknown. */
  findAuctionEntry(publicRfqId: PublicRfqId, maker: Address): Promise<AuctionEntry | null>
  /** Lists the open auctions that have accepted a quote from a maker, in any order. */
  listQuotedAuctions(maker: Address): Promise<PublicRfqId[]>
  /**
   * Counts the auctions that a verified taker has opened since a given time, and its positions as borrower opened since
   * a given block.
   */
  countTaker(query: TakerQuery): Promise<TakerCounts>
  /** Sums what a verified taker has taken in each of its open auctions: notionals in raw units, by public ID. */
  listTaken(taker: Address): Promise<ReadonlyMap<PublicRfqId, bigint>>
  /** Open auctions, earliest deadline first. */
  listOpenAuctions(): Promise<{ publicRfqId: PublicRfqId; lastSeq: number }[]>
  /** Lists quotes from closed auctions, newest first. Default limit: 50. */
  listObservations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<ObservationRecord[]>
  /**
   * Lists all of a maker's quotes, published and from auctions, newest first. Default limit: 50. `status` is as of
   * `now` (Unix seconds). A page may be shorter than the limit, or empty, even when more pages follow.
   *
   * @throws {InvalidInputError} with path `cursor` if the cursor belongs to another list.
   */
  listMakerQuotes(maker: Address, filters: MakerQuoteFilters, now: bigint): Promise<MakerQuotePage>
  /**
   * Lists closed auctions that accepted a quote from a maker, most recently opened first. Default limit: 50. A page may
   * be shorter than the limit even when more pages follow.
   *
   * @throws {InvalidInputError} with path `cursor` if the cursor belongs to another list.
   */
  listMakerAuctions(maker: Address, page: PageFilters): Promise<MakerAuctionPage>
  /**
   * Adds hourly floating rates. Existing points stay unchanged. {@link Store.rollBack} removes points of undone blocks.
   */
  addRatePoints(given: NewRatePoints): Promise<void>
  /** Lists a pool's rate points, oldest first. */
  listRatePoints(query: RatePointQuery): Promise<RatePoint[]>
  /** Lists all pools' points in an inclusive range of hours, newest first, without their rates. */
  listRateHours(range: { from: number; to: number }): Promise<Omit<RatePoint, 'ratePerSec'>[]>
  /** Blocks above a given number with undated fills, newest first. */
  listUndatedFills(query: { above: bigint; limit: number }): Promise<SyncedBlock[]>
  /**
   * Dates the fills in these blocks and rederives their days, in one transaction. Fills in a block with a different
   * hash stay undated. {@link Store.rollBack} rederives the days of undone fills.
   */
  dateFills(blocks: readonly BlockRef[]): Promise<void>
  /**
   * Days on which a pool's series had dated fills, sorted by expiry and day. Returns at most `limit`, the newest ones.
   */
  listFillDays(query: { poolId: Hex; from: number; to: number; limit: number }): Promise<FillDay[]>
  /** Days on which a pool's series had standing offers. Returns at most `limit`, the newest ones. */
  listOfferDays(query: {
    poolId: Hex
    from: number
    to: number
    limit: number
  }): Promise<(OfferDay & Pick<FillDay, 'expiry'>)[]>
  findSyncPosition(): Promise<SyncPosition>
  /**
   * Adds events and moves the cursor. The same transaction ends stored quotes affected by the events and adds status
   * updates.
   */
  applyBlocks(update: ChainUpdate): Promise<void>
  /**
   * Removes everything above a block (or everything) and moves the cursor to that block. The same transaction reopens
   * stored quotes and adds status updates.
   */
  rollBack(undoing: ChainUndoing): Promise<void>
  /**
   * Acquires or renews the lease that lets an instance follow the chain. Returns whether `holder` has it. The lease
   * spares the other instances from reading the chain. The cursor, not the lease, is what rejects late writes from a
   * previous holder. A single-process store always grants the lease.
   *
   * @param milliseconds the duration of the lease.
   * @param now the service's time in Unix milliseconds.
   */
  holdLease(holder: string, milliseconds: number, now: number): Promise<boolean>
  /**
   * Repeats the status updates for blocks up to and including this one as final updates, oldest first, at most 500 per
   * call. Does nothing if the newest stored event up to the block's number belongs to a different block, which means
   * that the given block was undone.
   *
   * @param at Unix milliseconds.
   */
  finalize(block: SyncedBlock, at: number): Promise<void>
  /** Returns the lowest block with a status update that is not yet final, or null. */
  findUnfinalizedBlock(): Promise<bigint | null>
  /** Lists a maker's status updates after a `seq`, up to a limit. */
  listStatuses(maker: Address, page: { after: number; limit: number }): Promise<StatusUpdatePage>
  /** Lists status updates for all makers after a cursor. Without a cursor, returns only the current cursor. */
  listPendingUpdates(after: number | null): Promise<PendingUpdates>
  /** Returns the newest block at or below a given number with a stored event. */
  findCheckpoint(atMost: bigint): Promise<SyncedBlock | null>
  listPools(): Promise<Pool[]>
  /** Lists the series of one pool or of all pools, nearest expiry first, including expired ones. */
  listSeries(poolId?: Hex): Promise<Series[]>
  /** Lists series that have positions and expired by `at` (Unix seconds), earliest expiry first. */
  listExpiredSeries(at: number): Promise<(OpenedSeries & Pick<Series, 'expiry'>)[]>
  /** Lists each maker's largest fill in each series since a given block. */
  listLargestFills(makers: readonly Address[], from: bigint): Promise<Fill[]>
  /** Lists an account's unsettled positions as maker or borrower, with their expiries in Unix seconds, oldest first. */
  listOpenPositions(account: Address): Promise<(Position & Pick<Series, 'expiry'>)[]>
  /**
   * Lists a page of an account's positions as maker or borrower, all as of the same block.
   *
   * @throws {InvalidInputError} with path `cursor` if the cursor is from another store or status.
   */
  listPositions(query: PositionQuery): Promise<PositionPage>
  /**
   * Changes controls and adds the audit entry, in one transaction. Returns the new version, or null if the controls
   * have another version than `after`, in which case the store is unchanged.
   *
   * @throws {OutcomeUnknownError} if the change may or may not be stored; repeating the call reveals the outcome.
   */
  changeControls(change: ControlChange): Promise<number | null>
  /** Reads all controls, ordered by kind and subject. Returns null if their version is still `known`. */
  readControls(known: number | null): Promise<StoredControls | null>
  /** Lists audit entries before an ID, newest first. */
  listAudit(page: { limit: number; before: number | null }): Promise<AuditRecord[]>
  /** Absent if the store cannot make auctions provable. */
  proofs?: ProofStore
  /** Resolves if the database answers. */
  ping(): Promise<void>
  /** The size of the database. */
  size(): Promise<DatabaseSize>
  /** Writes a probe. Resolves if the database is writable. */
  probe(): Promise<void>
  /**
   * The result of the integrity check, which starts when the store opens and may take a while. `bad` is permanent: the
   * store then refuses writes, and {@link Store.ping} fails.
   */
  integrity(): 'checking' | 'ok' | 'bad'
  /** Flushes pending writes, then closes. */
  close(): Promise<void>
}

/** Store methods that change rows. */
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
  'dateFills',
  'changeControls',
] as const satisfies readonly (keyof Store)[]

/** One of {@link storeWrites}. */
export type StoreWrite = (typeof storeWrites)[number]
