import type {
  BlockRef,
  PublicRfqId,
  QuoteFilters,
  QuoteStatus,
  RFQResult,
  RfqId,
  SignedQuote,
  StoredQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { ChainEvent, Pool, Position, Series } from './chain.ts'

/** A quote on its way into the store. */
export type NewQuote = {
  hash: Hex
  quote: SignedQuote
  apr: number
  /** Unix milliseconds. */
  createdAt: number
}

/** A quote that an auction has accepted, on its way into the store. */
export type NewAuctionQuote = NewQuote & {
  rfqId: RfqId
  publicRfqId: PublicRfqId
  /** When the series ends, Unix seconds. */
  expiry: number
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
}

/** A published, active quote of a list. */
export type ListedRecord = {
  /** Its hash, signed quote, apr and createdAt in one JSON object, as they travel. */
  text: string
  /** All of it, which costs several times as much as its text. */
  parse(): QuoteRecord
}

/** One page of a list. */
export type QuoteRecordPage = { quotes: ListedRecord[]; nextCursor: string | null }

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

/** A block that was synced. */
export type SyncedBlock = Pick<BlockRef, 'number' | 'hash'>

/** What the sync has found out, to be applied whole or not at all. */
export type ChainUpdate = {
  /** The cursor that this goes on from; when the store has another one, nothing is applied. */
  after: SyncedBlock | null
  /** Where the store stands afterwards. */
  cursor: BlockRef
  /** Blocks to remember for comparison, the cursor among them. */
  blocks: readonly SyncedBlock[]
  events: readonly ChainEvent[]
  /** How many blocks behind the cursor are remembered. */
  keep: number
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
   * Stores a published quote. `created` is false when it had been published before: then `record` is as it was. A quote
   * that only an auction had seen becomes a published one.
   */
  insertQuote(quote: NewQuote): Promise<{ created: boolean; record: QuoteRecord }>
  /** Stores an auction's quote. It shows as an observation once {@link Store.insertResult} has ended the auction. */
  insertAuctionQuote(quote: NewAuctionQuote): Promise<void>
  findQuote(hash: Hex): Promise<QuoteRecord | null>
  /**
   * Published, active quotes whose deadline is not before `now` (Unix seconds), and whose series has not ended by then.
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is none of this store's or of another order.
   */
  listQuotes(filters: QuoteFilters, now: bigint): Promise<QuoteRecordPage>
  /** How many published, active quotes a maker has whose deadline is not before `now` (Unix seconds). */
  countQuotes(maker: Address, now: bigint): Promise<number>
  /** What makers have promised, added up per maker and pool: their published, active quotes whose deadline is not before `now` (Unix seconds). */
  listCommitments(makers: readonly Address[], now: bigint): Promise<Commitment[]>
  /** Keeps an auction's outcome, to be found by its id; quotes that the result does not contain are forgotten. */
  insertResult(result: RFQResult): Promise<void>
  findResult(rfqId: RfqId): Promise<RFQResult | null>
  /** Quotes of closed auctions, newest first; 50 unless a limit is given. */
  listObservations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<ObservationRecord[]>
  findSyncPosition(): Promise<SyncPosition>
  /** Adds events and moves the cursor; stored quotes that they end are ended. */
  applyBlocks(update: ChainUpdate): Promise<void>
  /**
   * Removes everything above a block, or everything; stored quotes that become open again are. The cursor is then that
   * block.
   */
  rollBack(to: BlockRef | null): Promise<void>
  /** The newest block at or below a number that left an event in the store. */
  findCheckpoint(atMost: bigint): Promise<SyncedBlock | null>
  listPools(): Promise<Pool[]>
  /** Series of one pool or of all, soonest expiry first, expired ones included. */
  listSeries(poolId?: Hex): Promise<Series[]>
  /** The positions that an account has as maker or borrower and that are not settled, oldest first. */
  listOpenPositions(account: Address): Promise<Position[]>
  /** Whether the database answers. */
  ping(): Promise<void>
  /** Writes what is waiting, then closes. */
  close(): Promise<void>
}
