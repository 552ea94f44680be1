import { type SqlBool, sql } from 'kysely'
import { keyLifetimeMs, statusesKept } from '../../ports/store.ts'
import { pruneCounts } from './quotes/quoteEnds.ts'
import { isShown } from './quotes/quoteRows.ts'
import { blobsOf, integersOf, prepareQuery } from './sql/preparedQuery.ts'
import { run, type Script } from './sql/script.ts'
import { deleteOldStatuses } from './statuses/statusQueries.ts'

/** How long to keep auctions, and how many of their quotes. */
export type Retention = { milliseconds: number; auctionQuotes: number }

/** 30 days, and the newest 100,000 auction quotes. */
export const defaultRetention: Retention = { milliseconds: 30 * 86_400_000, auctionQuotes: 100_000 }

const pruneAtOnce = 200

/**
 * Marks expired quotes, then deletes auctions, keys, ended quotes and statuses that exceed the retention. Each step
 * processes a bounded number of rows, so that writes do not wait long.
 *
 * @param now Unix milliseconds.
 */
export function* prune(retention: Retention, now: number): Script<void> {
  for (const step of pruneSteps(retention, now)) yield* step()
}

/** The steps of {@link prune}, each of which may run in a separate transaction. */
export function pruneSteps(retention: Retention, now: number): (() => Script<unknown>)[] {
  const oldestTime = now - retention.milliseconds
  return [
    // Lists scan every quote in their index, so expired quotes must leave the index soon.
    () => run(expireQuotes, { now: Math.floor(now / 1000) }),
    () => pruneAuctions(oldestTime, retention.auctionQuotes),
    () => run(clearOldKeys, { since: now - keyLifetimeMs }),
    () => pruneEndedQuotes(Math.floor(oldestTime / 1000)),
    () => pruneStatuses(now - statusesKept.milliseconds),
  ]
}

/** Also deletes the counts of makers' open quotes, so that no rows remain for inactive makers. */
function* pruneEndedQuotes(oldest: number): Script<void> {
  const makers = (yield* run(deleteEndedQuotes, { oldest })).map(({ maker }) => maker)
  if (makers.length > 0) yield* run(pruneCounts, { makers })
}

function* pruneStatuses(before: number): Script<void> {
  const rows = yield* run(deleteOldStatuses, { before, limit: pruneAtOnce })
  yield* pruneUnreferenced(rows.map(({ hash }) => hash))
}

function* pruneAuctions(oldestTime: number, most: number): Script<void> {
  const newest = (yield* run(selectNewest))[0]?.newest ?? 0
  const oldestKept = newest - most
  const over = new Set<number>()
  for (const { auction_id, id, observed_at } of yield* run(selectOldest)) {
    if (id <= oldestKept || observed_at < oldestTime) over.add(auction_id)
  }
  // Open auctions are never pruned.
  const counts = new Map((yield* run(selectClosed, { ids: [...over] })).map(({ id, last_seq }) => [id, last_seq]))
  const ids: number[] = []
  let gone = 0
  for (const id of over) {
    const count = counts.get(id)
    if (count === undefined) continue
    ids.push(id)
    gone += count
    // Quotes from concurrent auctions are interleaved, so deleting a few auctions may delete many quotes.
    if (gone >= pruneAtOnce) break
  }
  if (ids.length > 0) {
    const hashes = (yield* run(deleteQuotesOfAuctions, { ids })).map(({ hash }) => hash)
    yield* run(deleteAuctions, { ids })
    yield* pruneUnreferenced(hashes)
  }
  yield* run(deleteUnansweredAuctions, { oldestTime })
}

/**
 * Deletes unpublished quotes that no auction references, unless they have a status update that could still be undone.
 */
export function* pruneUnreferenced(hashes: readonly Buffer[]): Script<void> {
  if (hashes.length > 0) yield* run(deleteUnheld, { hashes })
}

const isInNoAuction = sql<SqlBool>`not exists (select 1 from auction_quotes where auction_quotes.hash = quotes.hash)`

const isSettled = sql<SqlBool>`not exists (select 1 from quote_statuses where quote_statuses.hash = quotes.hash and unsettled = 1)`

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
    )
    .returning('maker'),
)

const deleteUnheld = prepareQuery((on, given: { hashes: readonly Buffer[] }) =>
  on
    .deleteFrom('quotes')
    .where('hash', 'in', blobsOf(given.hashes))
    .where('listed', '=', 0)
    .where(isInNoAuction)
    .where(isSettled),
)

const selectNewest = prepareQuery((on) =>
  on.selectFrom('auction_quotes').select(({ fn }) => fn.max<number | null>('id').as('newest')),
)
const selectOldest = prepareQuery((on) =>
  on.selectFrom('auction_quotes').select(['auction_id', 'id', 'observed_at']).orderBy('id').limit(pruneAtOnce),
)
const selectClosed = prepareQuery((on, given: { ids: readonly number[] }) =>
  on
    .selectFrom('auctions')
    .select(['id', 'last_seq'])
    .where('id', 'in', integersOf(given.ids))
    .where('state', '=', 'closed'),
)
const deleteQuotesOfAuctions = prepareQuery((on, given: { ids: readonly number[] }) =>
  on.deleteFrom('auction_quotes').where('auction_id', 'in', integersOf(given.ids)).returning('hash'),
)
const deleteAuctions = prepareQuery((on, given: { ids: readonly number[] }) =>
  on.deleteFrom('auctions').where('id', 'in', integersOf(given.ids)),
)
// Auctions without quotes. Only the `pruneAtOnce` oldest auctions are examined.
const deleteUnansweredAuctions = prepareQuery((on, given: { oldestTime: number }) =>
  on
    .deleteFrom('auctions')
    .where('closed_at', '<', given.oldestTime)
    .where('last_seq', '=', 0)
    .where('id', 'in', (query) => query.selectFrom('auctions').select('id').orderBy('id').limit(pruneAtOnce)),
)
const clearOldKeys = prepareQuery((on, given: { since: number }) =>
  on
    .updateTable('auctions')
    .set({ key_hash: null, request_hash: null })
    .where('id', 'in', (query) =>
      query
        .selectFrom('auctions')
        .select('id')
        .where('key_hash', 'is not', null)
        .where('opened_at', '<', given.since)
        .orderBy('opened_at')
        .limit(pruneAtOnce),
    ),
)
