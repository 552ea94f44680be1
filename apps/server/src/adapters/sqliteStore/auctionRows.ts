import { type RFQResult, type RfqId, serializeSignedQuote, toPublicRfqId } from '@firmquote/core'
import { decodeOrThrow, encodeJson, rfqResultShape } from '@firmquote/core/wire'
import type { Kysely, Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { KeptObservation } from '../../ports/store.ts'
import { blobOf, hexOf, idBlob } from './blobs.ts'
import { parseBody } from './quoteBody.ts'
import { deleteForgotten } from './retention.ts'
import type { Tables } from './schema.ts'

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
export async function findResult(db: Kysely<Tables>, rfqId: RfqId): Promise<RFQResult | null> {
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
      ? [{ hash, quote: serializeSignedQuote(parseBody(row.body).quote), apr: row.apr, receivedAt: row.observed_at }]
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
    publicRfqId: toPublicRfqId(row.public_rfq_id.toString('hex')),
    hash: hexOf(row.hash),
    quote: parseBody(row.body).quote,
    apr: row.apr,
    expiry: row.expiry,
    observedAt: row.observed_at,
  }))
}
