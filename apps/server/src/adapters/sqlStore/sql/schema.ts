import type { QuoteStatus } from '@firmquote/core'
import type { Generated } from 'kysely'
import type { StatusUpdate } from '../../../domain/statusUpdate.ts'
import type { AuditRecord } from '../../../ports/store.ts'

/** An event's position. The position is unique for rows written by the sync. */
export type EventPosition = { block_number: number; block_hash: Buffer; log_index: number; transaction_hash: Buffer }

/**
 * The tables. Hashes, addresses and IDs are blobs. Amounts are 32-byte big-endian blobs, which SQLite compares
 * numerically. Each quote's record is also stored as the JSON sent to clients.
 */
export type Tables = {
  identity: { key: string; value: string }
  quotes: {
    hash: Buffer
    maker: Buffer
    taker: Buffer
    pool_id: Buffer
    series_key: Buffer
    notional: Buffer
    /** Unix seconds, capped at the largest safe integer. */
    deadline: number
    /** As of the creation. Earlier versions sort by it. */
    apr: number
    /** `vrtAmount / notional`. */
    price: number
    /**
     * `expired` means only that the quote was removed from the lists. Whether a quote has expired depends on its
     * deadline.
     */
    status: QuoteStatus
    /** 1 if the maker published the quote. */
    listed: number
    created_at: number
    /** The record in wire format: hash, quote, apr as of the creation, and createdAt. */
    body: string
    seen_at: string | null
    nonce: Buffer
    /** 1 while the last status update sent for the quote reports its end. */
    told: Generated<number>
  }
  auctions: {
    id: Generated<number>
    public_rfq_id: Buffer
    rfq_id: Buffer
    state: 'open' | 'closed'
    opened_at: number
    closes_at: number
    /** This column and the next two are null while the auction is open. */
    closed_at: number | null
    rejected_count: number | null
    /** 1 if no server was running at the deadline. */
    interrupted: number | null
    /** Number of accepted quotes, which equals the last quote's `seq`. */
    last_seq: number
    backers: number
    /** SHA-256 hashes of the borrower's idempotency key and of the request. */
    key_hash: Buffer | null
    request_hash: Buffer | null
    /** The taker, if verified. */
    taker: Buffer | null
    /** The RFQ as sent. */
    body: string
  }
  auction_quotes: {
    id: Generated<number>
    auction_id: number
    /** Position in the auction, counting from 1 without gaps. */
    seq: number
    /** Unique within an auction. */
    maker: Buffer
    hash: Buffer
    pool_id: Buffer
    series_key: Buffer
    apr: number
    observed_at: number
    /** Unix microseconds. */
    arrival: number
    /** 1 if the maker is a contract whose signature was unproven on arrival. */
    unproven: number
    /** Only in SQLite: the block at which the quote was judged, and the hash of its leaf, if the auction is provable. */
    block_number: number | null
    block_hash: Buffer | null
    leaf: Buffer | null
  }
  /** Status updates for makers. */
  quote_statuses: {
    /** IDs follow the commit order across all makers. */
    id: Generated<number>
    maker: Buffer
    /** Each maker's numbers are consecutive and start at 1. */
    seq: number
    hash: Buffer
    status: StatusUpdate
    final: number
    /** 1 if this is the quote's last update and its block is not finalized. */
    unsettled: number
    block_number: number
    transaction_hash: Buffer | null
    /** This column and the next three are set only for fills. */
    taker: Buffer | null
    notional: Buffer | null
    cost: Buffer | null
    position_id: Buffer | null
    /** Unix milliseconds. */
    told_at: number
  }
  /** Each maker's last `seq`, which is kept when the maker's updates are pruned. */
  status_counts: { maker: Buffer; last_seq: number }
  /** PostgreSQL only: an upper bound on the number of each maker's open published quotes. */
  published_counts: { maker: Buffer; at_most: number }
  /** Filler bytes and the number of write probes; at most one row. */
  probes: { id: number; count: number; filler: Buffer }
  /** The newest synced block; at most one row. */
  sync_cursor: { id: number; number: number; hash: Buffer; timestamp: number }
  /** The newest synced blocks, for comparison with the node's blocks. */
  blocks: { number: number; hash: Buffer }
  quote_ends: EventPosition & { hash: Buffer; status: 'filled' | 'cancelled' }
  nonce_raises: EventPosition & { maker: Buffer; nonce: Buffer }
  pools: EventPosition & { pool_id: Buffer; loan_token: Buffer; adapter: Buffer; market: Buffer }
  series: EventPosition & { series_key: Buffer; pool_id: Buffer; expiry: number; cap: Buffer }
  positions: EventPosition & {
    position_id: Buffer
    maker: Buffer
    borrower: Buffer
    pool_id: Buffer
    series_key: Buffer
    notional: Buffer
    cost: Buffer
    opening_index: Buffer
    /** 1 if `settlements` has a row for the position. */
    settled: Generated<number>
    /** Block time, in Unix seconds. Null until the rate recorder has read it. */
    opened_at: number | null
  }
  /** A pool's floating rate at the first block at or after an hour. */
  floating_points: {
    pool_id: Buffer
    /** Unix seconds. */
    hour: number
    block_number: number
    /** WAD per second. */
    rate: Buffer
  }
  /** The cost of one day's fills in a series. Derived from `positions`. */
  fill_days: {
    series_key: Buffer
    /** 00:00 UTC in Unix seconds. */
    day: number
    /** The median by notional. */
    apr: number
    /** The sum. */
    notional: Buffer
    fills: number
  }
  /** A day's best offer that stood. */
  offer_days: { series_key: Buffer; day: number; apr: number; notional: Buffer }
  /**
   * The prices from which the rates of `fill_days` and `offer_days` were computed. Not columns of those tables: a
   * running older program would fail on its prepared `select *`.
   */
  day_prices: {
    series_key: Buffer
    day: number
    kind: 'fills' | 'offer'
    notional: Buffer
    vrt_amount: Buffer
    /** When the rate was measured, in Unix seconds. */
    at: number
  }
  /** The operator's decisions. */
  controls: { kind: string; subject: string; body: string }
  /**
   * The operator's changes. Rows are only added. The newest `id` is the version of `controls`. `request` identifies the
   * change, so that repeating it has no effect.
   */
  audit: Omit<AuditRecord, 'id'> & { id: Generated<number>; request: string }
  /** Only in SQLite, like the tables below. The transparency logs, of which the newest one is appended to. */
  logs: {
    /** The `n` of `/log/<n>`. */
    id: Generated<number>
    origin: string
    /** The Ed25519 public key that signs checkpoints. */
    public_key: Buffer
    /** The account that signs receipts. */
    signer: Buffer
    /** This column and the next two are the committed tree head. Entries beyond `size` are not in the tree yet. */
    size: number
    root: Buffer
    /** When the head was committed, in Unix milliseconds. */
    at: number
    /** The service's time when the log was last advanced, in Unix milliseconds. */
    seen_at: number
  }
  /** Positions count from 0 without gaps. Rows are only added. */
  log_entries: { log: number; position: number; entry: Buffer }
  /** A tile of a committed tree: up to 256 hashes. A tile only grows, so it begins with every earlier partial one. */
  log_tiles: { log: number; level: number; position: number; hashes: Buffer }
  /** The data that proves an auction. Deleting the auction overwrites and deletes the row. */
  auction_proofs: {
    auction_id: number
    /** The secret from which the transcript's salts are derived. */
    secret: Buffer
    /** The positions of the auction's entries. The close's log and position are null while the auction is open. */
    open_log: number
    open_position: number
    close_log: number | null
    close_position: number | null
    /** The transcript's last record. */
    closing: Buffer | null
  }
  settlements: EventPosition & { position_id: Buffer; to_borrower: Buffer; to_maker: Buffer }
}
