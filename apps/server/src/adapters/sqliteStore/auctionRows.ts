import { type RFQResult, serializeSignedQuote } from '@firmquote/core'
import { decodeOrThrow, encodeJson, rfqResultShape } from '@firmquote/core/wire'
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { KeptObservation, NewAuctionQuote } from '../../ports/store.ts'
import { blobOf, hexOf } from './blobs.ts'
import { refreshQuotes } from './quoteEnds.ts'
import { parseBody, quoteRow } from './quoteRows.ts'
import type { Tables } from './schema.ts'

/** How long and how much of the auctions is kept. */
export type Retention = { milliseconds: number; auctionQuotes: number }

const pruneAtOnce = 200

/** Stores an auction's quote. */
export async function insertAuctionQuote(transaction: Transaction<Tables>, kept: NewAuctionQuote): Promise<void> {
  await transaction
    .insertInto('quotes')
    .values(quoteRow(kept, false))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
  await refreshQuotes(transaction, { hashes: [blobOf(kept.hash)] })
  await transaction
    .insertInto('auction_quotes')
    .values({
      rfq_id: idBlob(kept.rfqId),
      public_rfq_id: idBlob(kept.publicRfqId),
      hash: blobOf(kept.hash),
      pool_id: blobOf(kept.quote.poolId),
      series_key: blobOf(kept.quote.seriesKey),
      expiry: kept.expiry,
      apr: kept.apr,
      observed_at: kept.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['rfq_id', 'hash']).doNothing())
    .execute()
}

/** Ends an auction: from now on its quotes are observations. */
export async function insertResult(transaction: Transaction<Tables>, result: RFQResult): Promise<void> {
  const rfqId = idBlob(result.rfqId)
  const { quotes, ...rest } = result
  const accepted = new Set<Hex>(quotes.map(({ hash }) => hash))
  await transaction
    .insertInto('auctions')
    .values({
      rfq_id: rfqId,
      closed_at: result.closedAt ?? result.closesAt,
      body: encodeJson({ ...rest, ranking: quotes.map(({ hash }) => hash) }),
    })
    .onConflict((conflict) => conflict.column('rfq_id').doNothing())
    .execute()
  // A quote that reached the disk while the auction closed is not part of it.
  const rows = await transaction.selectFrom('auction_quotes').select('hash').where('rfq_id', '=', rfqId).execute()
  const late = rows.map(({ hash }) => hash).filter((hash) => !accepted.has(hexOf(hash)))
  if (late.length === 0) return
  await transaction.deleteFrom('auction_quotes').where('rfq_id', '=', rfqId).where('hash', 'in', late).execute()
  await deleteForgotten(transaction, late)
}

/** An auction's outcome by the borrower's id. */
export async function findResult(db: Kysely<Tables>, rfqId: string): Promise<RFQResult | null> {
  const id = idBlob(rfqId)
  const auction = await db.selectFrom('auctions').select('body').where('rfq_id', '=', id).executeTakeFirst()
  if (!auction) return null
  const rows = await db
    .selectFrom('auction_quotes as kept')
    .innerJoin('quotes', 'quotes.hash', 'kept.hash')
    .select(['kept.hash', 'kept.apr', 'kept.observed_at', 'quotes.body'])
    .where('kept.rfq_id', '=', id)
    .execute()
  const byHash = new Map(rows.map((row) => [hexOf(row.hash), row]))
  const { ranking, ...rest } = JSON.parse(auction.body) as { ranking: Hex[] }
  const quotes = ranking.flatMap((hash) => {
    const row = byHash.get(hash)
    return row
      ? [{ hash, quote: serializeSignedQuote(parseBody(row.body)), apr: row.apr, receivedAt: row.observed_at }]
      : []
  })
  return decodeOrThrow(rfqResultShape, { ...rest, quotes }, 'The stored result')
}

/** Quotes of closed auctions, newest first. */
export async function listObservations(
  db: Kysely<Tables>,
  { poolId, seriesKey, limit = 50 }: { poolId?: Hex; seriesKey?: Hex; limit?: number },
): Promise<KeptObservation[]> {
  const rows = await db
    .selectFrom('auction_quotes as kept')
    .innerJoin('quotes', 'quotes.hash', 'kept.hash')
    .select(['kept.public_rfq_id', 'kept.hash', 'kept.apr', 'kept.expiry', 'kept.observed_at', 'quotes.body'])
    // Nothing of an open auction shows to anyone but its borrower.
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('auctions').select('auctions.seq').whereRef('auctions.rfq_id', '=', 'kept.rfq_id')),
    )
    .$if(poolId !== undefined, (query) => query.where('kept.pool_id', '=', blobOf(poolId ?? '0x')))
    .$if(seriesKey !== undefined, (query) => query.where('kept.series_key', '=', blobOf(seriesKey ?? '0x')))
    .orderBy('kept.seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    publicRfqId: row.public_rfq_id.toString('hex'),
    hash: hexOf(row.hash),
    quote: parseBody(row.body),
    apr: row.apr,
    expiry: row.expiry,
    observedAt: row.observed_at,
  }))
}

/**
 * Forgets what is too old or too much, whole auctions at a time and not too many at once, so that no write waits long.
 *
 * @param now Unix milliseconds.
 */
export async function prune(transaction: Transaction<Tables>, retention: Retention, now: number): Promise<void> {
  const { newest } = await transaction
    .selectFrom('auction_quotes')
    .select(({ fn }) => fn.max('seq').as('newest'))
    .executeTakeFirstOrThrow()
  const oldestTime = now - retention.milliseconds
  const oldest = await transaction
    .selectFrom('auction_quotes')
    .select(['rfq_id', 'seq', 'observed_at'])
    .orderBy('seq')
    .limit(pruneAtOnce)
    .execute()
  const oldestKept = (newest ?? 0) - retention.auctionQuotes
  const ids = oldest.filter(({ seq, observed_at }) => seq <= oldestKept || observed_at < oldestTime)
  const rfqIds = [...new Map(ids.map(({ rfq_id }) => [rfq_id.toString('hex'), rfq_id])).values()]
  if (rfqIds.length > 0) {
    const gone = await transaction
      .deleteFrom('auction_quotes')
      .where('rfq_id', 'in', rfqIds)
      .returning('hash')
      .execute()
    await transaction.deleteFrom('auctions').where('rfq_id', 'in', rfqIds).execute()
    const hashes = gone.map(({ hash }) => hash)
    for (let start = 0; start < hashes.length; start += pruneAtOnce) {
      await deleteForgotten(transaction, hashes.slice(start, start + pruneAtOnce))
    }
  }
  // Auctions that nobody answered leave no quotes behind.
  await transaction
    .deleteFrom('auctions')
    .where('seq', 'in', (query) =>
      query.selectFrom('auctions').select('seq').where('closed_at', '<', oldestTime).orderBy('seq').limit(pruneAtOnce),
    )
    .execute()
  const oldestDeadline = Math.floor(oldestTime / 1000)
  for (const ended of [sql<SqlBool>`status = 'active'`, sql<SqlBool>`status <> 'active'`]) {
    await transaction
      .deleteFrom('quotes')
      .where('hash', 'in', (query) =>
        query
          .selectFrom('quotes')
          .select('quotes.hash')
          .where(sql<SqlBool>`listed = 1`)
          .where(ended)
          .where('deadline', '<', oldestDeadline)
          .where(isInNoAuction)
          .limit(pruneAtOnce),
      )
      .execute()
  }
}

/** Deletes those quotes that neither their maker nor any auction holds any more. */
async function deleteForgotten(transaction: Transaction<Tables>, hashes: readonly Buffer[]): Promise<void> {
  await transaction
    .deleteFrom('quotes')
    .where('hash', 'in', [...hashes])
    .where('listed', '=', 0)
    .where(isInNoAuction)
    .execute()
}

const isInNoAuction = sql<SqlBool>`not exists (select 1 from auction_quotes where auction_quotes.hash = quotes.hash)`

function idBlob(rfqId: string): Buffer {
  return Buffer.from(rfqId, 'hex')
}
