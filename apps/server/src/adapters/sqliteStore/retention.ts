import { type SqlBool, sql } from 'kysely'
import { blobList, blobsOf, prepareQuery, type RunQuery } from './preparedQuery.ts'
import { isShown } from './quoteRows.ts'

/** How long and how much of the auctions is kept. */
export type Retention = { milliseconds: number; auctionQuotes: number }

const pruneAtOnce = 200

/**
 * Takes expired quotes out of the lists, then forgets what is too old or too much: auctions whole, and everything in
 * small portions, so that no write waits long.
 *
 * @param now Unix milliseconds.
 */
export function prune(run: RunQuery, retention: Retention, now: number): void {
  const oldestTime = now - retention.milliseconds
  // A list walks past whatever its index holds: what has expired must not pile up there until it is forgotten.
  run(expireQuotes, { now: Math.floor(now / 1000) })
  pruneAuctions(run, oldestTime, retention.auctionQuotes)
  run(deleteEndedQuotes, { oldest: Math.floor(oldestTime / 1000) })
}

function pruneAuctions(run: RunQuery, oldestTime: number, most: number): void {
  const newest = run(selectNewest)[0]?.newest ?? 0
  const oldestKept = newest - most
  const over = new Map<string, Buffer>()
  for (const { rfq_id, seq, observed_at } of run(selectOldest)) {
    if (seq <= oldestKept || observed_at < oldestTime) over.set(rfq_id.toString('hex'), rfq_id)
  }
  let gone = 0
  for (const rfqId of over.values()) {
    const hashes = run(deleteQuotesOfAuction, { rfqId }).map(({ hash }) => hash)
    run(deleteAuction, { rfqId })
    deleteForgotten(run, hashes)
    gone += hashes.length
    // Quotes of auctions that ran together lie mixed: these rows may stand for many more.
    if (gone >= pruneAtOnce) break
  }
  run(deleteUnansweredAuctions, { oldestTime })
}

/** Deletes those quotes that neither their maker nor any auction holds any more. */
export function deleteForgotten(run: RunQuery, hashes: readonly Buffer[]): void {
  run(deleteUnheld, { hashes: blobList(hashes) })
}

const isInNoAuction = sql<SqlBool>`not exists (select 1 from auction_quotes where auction_quotes.hash = quotes.hash)`

const expireQuotes = prepareQuery((on, given: { now: number }) =>
  on
    .updateTable('quotes')
    .set({ status: 'expired' })
    .where('hash', 'in', (query) =>
      query
        .selectFrom('quotes')
        .select('quotes.hash')
        .where(isShown)
        .where('deadline', '<', given.now)
        .orderBy('deadline')
        .limit(pruneAtOnce),
    ),
)

const deleteEndedQuotes = prepareQuery((on, given: { oldest: number }) =>
  on
    .deleteFrom('quotes')
    .where('hash', 'in', (query) =>
      query
        .selectFrom('quotes')
        .select('quotes.hash')
        .where(sql<SqlBool>`listed = 1 and status <> 'active'`)
        .where('deadline', '<', given.oldest)
        .where(isInNoAuction)
        .orderBy('deadline')
        .limit(pruneAtOnce),
    ),
)

const deleteUnheld = prepareQuery((on, given: { hashes: string }) =>
  on.deleteFrom('quotes').where('hash', 'in', blobsOf(given.hashes)).where('listed', '=', 0).where(isInNoAuction),
)

const selectNewest = prepareQuery((on) =>
  on.selectFrom('auction_quotes').select(({ fn }) => fn.max<number | null>('seq').as('newest')),
)
const selectOldest = prepareQuery((on) =>
  on.selectFrom('auction_quotes').select(['rfq_id', 'seq', 'observed_at']).orderBy('seq').limit(pruneAtOnce),
)
const deleteQuotesOfAuction = prepareQuery((on, given: { rfqId: Buffer }) =>
  on.deleteFrom('auction_quotes').where('rfq_id', '=', given.rfqId).returning('hash'),
)
const deleteAuction = prepareQuery((on, given: { rfqId: Buffer }) =>
  on.deleteFrom('auctions').where('rfq_id', '=', given.rfqId),
)
// Auctions without answers leave no quotes behind. The oldest come first, so the newer ones need no look.
const deleteUnansweredAuctions = prepareQuery((on, given: { oldestTime: number }) =>
  on
    .deleteFrom('auctions')
    .where('closed_at', '<', given.oldestTime)
    .where('seq', 'in', (query) => query.selectFrom('auctions').select('seq').orderBy('seq').limit(pruneAtOnce)),
)
