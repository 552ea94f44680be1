import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** How long and how much of the auctions is kept. */
export type Retention = { milliseconds: number; auctionQuotes: number }

const pruneAtOnce = 200

/**
 * Takes expired quotes out of the lists, then forgets what is too old or too much: auctions whole, and everything in
 * small portions, so that no write waits long.
 *
 * @param now Unix milliseconds.
 */
export async function prune(transaction: Transaction<Tables>, retention: Retention, now: number): Promise<void> {
  const oldestTime = now - retention.milliseconds
  await expireQuotes(transaction, Math.floor(now / 1000))
  await pruneAuctions(transaction, oldestTime, retention.auctionQuotes)
  await transaction
    .deleteFrom('quotes')
    .where('hash', 'in', (query) =>
      query
        .selectFrom('quotes')
        .select('quotes.hash')
        .where(sql<SqlBool>`listed = 1 and status <> 'active'`)
        .where('deadline', '<', Math.floor(oldestTime / 1000))
        .where(isInNoAuction)
        .orderBy('deadline')
        .limit(pruneAtOnce),
    )
    .execute()
}

/** A list walks past whatever its index holds: what has expired must not pile up there until it is forgotten. */
async function expireQuotes(transaction: Transaction<Tables>, now: number): Promise<void> {
  await transaction
    .updateTable('quotes')
    .set({ status: 'expired' })
    .where('hash', 'in', (query) =>
      query
        .selectFrom('quotes')
        .select('quotes.hash')
        .where(sql<SqlBool>`listed = 1 and status = 'active'`)
        .where('deadline', '<', now)
        .orderBy('deadline')
        .limit(pruneAtOnce),
    )
    .execute()
}

async function pruneAuctions(transaction: Transaction<Tables>, oldestTime: number, most: number): Promise<void> {
  const { newest } = await transaction
    .selectFrom('auction_quotes')
    .select(({ fn }) => fn.max('seq').as('newest'))
    .executeTakeFirstOrThrow()
  const oldest = await transaction
    .selectFrom('auction_quotes')
    .select(['rfq_id', 'seq', 'observed_at'])
    .orderBy('seq')
    .limit(pruneAtOnce)
    .execute()
  const oldestKept = (newest ?? 0) - most
  const over = new Map<string, Buffer>()
  for (const { rfq_id, seq, observed_at } of oldest) {
    if (seq <= oldestKept || observed_at < oldestTime) over.set(rfq_id.toString('hex'), rfq_id)
  }
  let gone = 0
  for (const rfqId of over.values()) {
    const quotes = await transaction
      .deleteFrom('auction_quotes')
      .where('rfq_id', '=', rfqId)
      .returning('hash')
      .execute()
    await transaction.deleteFrom('auctions').where('rfq_id', '=', rfqId).execute()
    const hashes = quotes.map(({ hash }) => hash)
    await deleteForgotten(transaction, hashes)
    gone += hashes.length
    // Quotes of auctions that ran together lie mixed: these rows may stand for many more.
    if (gone >= pruneAtOnce) break
  }
  // Auctions that nobody answered leave no quotes behind. The oldest come first, so the newer ones need no look.
  await transaction
    .deleteFrom('auctions')
    .where('closed_at', '<', oldestTime)
    .where('seq', 'in', (query) => query.selectFrom('auctions').select('seq').orderBy('seq').limit(pruneAtOnce))
    .execute()
}

/** Deletes those quotes that neither their maker nor any auction holds any more. */
export async function deleteForgotten(transaction: Transaction<Tables>, hashes: readonly Buffer[]): Promise<void> {
  await transaction
    .deleteFrom('quotes')
    .where('hash', 'in', [...hashes])
    .where('listed', '=', 0)
    .where(isInNoAuction)
    .execute()
}

const isInNoAuction = sql<SqlBool>`not exists (select 1 from auction_quotes where auction_quotes.hash = quotes.hash)`
