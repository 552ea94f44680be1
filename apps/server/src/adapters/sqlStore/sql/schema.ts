import type { QuoteStatus } from '@firmquote/core'
import type { Generated } from 'kysely'
import type { StatusUpdate } from '../../../domain/statusUpdate.ts'

/** Where an event is: every row that the sync has written carries it, and no two rows carry the same. */
export type EventPlace = { block_number: number; block_hash: Buffer; log_index: number; transaction_hash: Buffer }

/**
 * The tables. Hashes, addresses and ids are blobs; amounts are 32-byte big-endian blobs, which SQLite compares as the
 * numbers they are; a quote's record is also kept whole, as the JSON that travels.
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
    /** Unix seconds; a later one than JavaScript counts is kept as the largest that it does. */
    deadline: number
    apr: number
    /** `expired` only says that it has left the lists: whether a quote is over is a question of its deadline. */
    status: QuoteStatus
    /** 1 when its maker has published it. */
    listed: number
    created_at: number
    /** The record as it travels: hash, quote, apr and createdAt. */
    body: string
    seen_at: string | null
    nonce: Buffer
    /** 1 while the last that its maker was told of it is an end. */
    told: Generated<number>
  }
  auctions: {
    id: Generated<number>
    public_rfq_id: Buffer
    rfq_id: Buffer
    state: 'open' | 'closed'
    opened_at: number
    closes_at: number
    /** Null while it is open, as are the next two. */
    closed_at: number | null
    rejected_count: number | null
    /** 1 when nobody was there at its end. */
    interrupted: number | null
    /** How many quotes it has accepted, which is the place of the last of them. */
    last_seq: number
    backers: number
    /** SHA-256 hashes: of the key that its borrower has sent, and of what was asked with it. */
    key_hash: Buffer | null
    request_hash: Buffer | null
    /** Its taker where that is verified. */
    taker: Buffer | null
    /** Its RFQ as it travels. */
    body: string
  }
  auction_quotes: {
    id: Generated<number>
    auction_id: number
    /** Its place in the auction: 1 for the first, without a gap. */
    seq: number
    /** One quote of each maker. */
    maker: Buffer
    hash: Buffer
    pool_id: Buffer
    series_key: Buffer
    apr: number
    observed_at: number
    /** Unix microseconds. */
    arrival: number
    /** 1 when its maker is a contract that was unproven when it came. */
    unproven: number
  }
  /** What makers were told of their quotes. */
  quote_statuses: {
    /** In the order of telling, over all makers. */
    id: Generated<number>
    maker: Buffer
    /** 1 for the first that a maker was told, without a gap. */
    seq: number
    hash: Buffer
    status: StatusUpdate
    final: number
    /** 1 while it is the last that was told of its quote, and its block may still be undone. */
    unsettled: number
    block_number: number
    transaction_hash: Buffer | null
    /** Of a fill, as are the next three. */
    taker: Buffer | null
    notional: Buffer | null
    cost: Buffer | null
    position_id: Buffer | null
    /** Unix milliseconds. */
    told_at: number
  }
  /** The last number of each maker, also when what it was told is forgotten. */
  status_counts: { maker: Buffer; last_seq: number }
  /** On PostgreSQL alone: what a maker has published and open, or more. */
  published_counts: { maker: Buffer; at_most: number }
  /** One row at most: how often it was tried whether the database can be written to, and bytes that mean nothing. */
  probes: { id: number; count: number; filler: Buffer }
  /** One row at most: how far the sync is. */
  sync_cursor: { id: number; number: number; hash: Buffer; timestamp: number }
  /** The newest synced blocks, for comparison with the node's. */
  blocks: { number: number; hash: Buffer }
  quote_ends: EventPlace & { hash: Buffer; status: 'filled' | 'cancelled' }
  nonce_raises: EventPlace & { maker: Buffer; nonce: Buffer }
  pools: EventPlace & { pool_id: Buffer; loan_token: Buffer; adapter: Buffer; market: Buffer }
  series: EventPlace & { series_key: Buffer; pool_id: Buffer; expiry: number; cap: Buffer }
  positions: EventPlace & {
    position_id: Buffer
    maker: Buffer
    borrower: Buffer
    pool_id: Buffer
    series_key: Buffer
    notional: Buffer
    cost: Buffer
    opening_index: Buffer
    /** 1 when there is a row of it in `settlements`. */
    settled: Generated<number>
  }
  /** The floating rate of a pool at the first block at or after an hour. */
  floating_points: {
    pool_id: Buffer
    /** Unix seconds. */
    hour: number
    block_number: number
    /** WAD per second. */
    rate: Buffer
  }
  /** The best rate of a series that the auctions of a day have accepted. */
  fixed_points: {
    series_key: Buffer
    /** 00:00 UTC, Unix seconds. */
    day: number
    apr: number
    /** Of its quote. */
    notional: Buffer
  }
  settlements: EventPlace & { position_id: Buffer; to_borrower: Buffer; to_maker: Buffer }
}
