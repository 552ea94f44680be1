import type { QuoteStatus } from '@firmquote/core'
import type { Generated } from 'kysely'

/**
 * The tables. Hashes, addresses and ids are blobs; amounts are 32-byte big-endian blobs, which SQLite compares as the
 * numbers they are; a quote itself is kept once, as the JSON that travels.
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
    status: QuoteStatus
    /** 1 when its maker has published it. */
    listed: number
    created_at: number
    body: string
    seen_at: string | null
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
}
