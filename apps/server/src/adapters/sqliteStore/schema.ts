import type { QuoteStatus } from '@firmquote/core'
import type { Generated } from 'kysely'

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
  }
  auctions: { seq: Generated<number>; rfq_id: Buffer; closed_at: number; body: string }
  auction_quotes: {
    seq: Generated<number>
    rfq_id: Buffer
    public_rfq_id: Buffer
    hash: Buffer
    pool_id: Buffer
    series_key: Buffer
    expiry: number
    apr: number
    observed_at: number
  }
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
  }
  settlements: EventPlace & { position_id: Buffer; to_borrower: Buffer; to_maker: Buffer }
}
