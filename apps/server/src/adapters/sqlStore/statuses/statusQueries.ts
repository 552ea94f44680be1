import { type Insertable, type SqlBool, sql } from 'kysely'
import { blobsOf, pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'

// Queries on status updates.

/** Reserves a maker's next `count` sequence numbers and returns the last one. The counter survives pruning. */
export const takeSeqs = prepareQuery((on, given: { maker: Buffer; count: number }) =>
  on
    .insertInto('status_counts')
    .values({ maker: given.maker, last_seq: given.count })
    .onConflict((conflict) =>
      conflict
        .column('maker')
        .doUpdateSet(({ eb }) => ({ last_seq: eb('status_counts.last_seq', '+', eb.ref('excluded.last_seq')) })),
    )
    .returning('last_seq'),
)
export const insertStatus = prepareQuery((on, row: Insertable<Tables['quote_statuses']>) =>
  on
    .insertInto('quote_statuses')
    .values(
      pick(row, [
        ...(['maker', 'seq', 'hash', 'status', 'final', 'unsettled', 'block_number', 'transaction_hash'] as const),
        ...(['taker', 'notional', 'cost', 'position_id', 'told_at'] as const),
      ]),
    ),
)
export const updateLastStatus = prepareQuery((on, given: { hashes: readonly Buffer[]; told: number }) =>
  on
    .updateTable('quotes')
    .set({ told: given.told })
    .where('hash', 'in', blobsOf(given.hashes))
    .where('told', '<>', given.told),
)
export const pruneEarlier = prepareQuery((on, given: { maker: Buffer; through: number }) =>
  on.deleteFrom('quote_statuses').where('maker', '=', given.maker).where('seq', '<=', given.through),
)

// A literal, because SQLite uses a partial index only if the query contains its condition.
const unsettled = sql<SqlBool>`unsettled = 1`

export const clearUnfinalized = prepareQuery((on, given: { hashes: readonly Buffer[] }) =>
  on.updateTable('quote_statuses').set({ unsettled: 0 }).where(unsettled).where('hash', 'in', blobsOf(given.hashes)),
)
export const selectUnfinalizedBlock = prepareQuery((on) =>
  on
    .selectFrom('quote_statuses')
    .select(({ fn }) => fn.min<number | null>('block_number').as('lowest'))
    .where(unsettled),
)
export const selectUnfinalized = prepareQuery((on, given: { through: number; limit: number }) =>
  on
    .selectFrom('quote_statuses')
    .selectAll()
    .where(unsettled)
    .where('block_number', '<=', given.through)
    .orderBy('block_number')
    .orderBy('id')
    .limit(given.limit),
)

/** The position opened by a fill: the maker's last one before the fill in the same transaction. */
export const selectFill = prepareQuery((on, given: { hash: Buffer; maker: Buffer }) =>
  on
    .selectFrom('quote_ends')
    .innerJoin('positions', (join) =>
      join
        .onRef('positions.block_number', '=', 'quote_ends.block_number')
        .onRef('positions.transaction_hash', '=', 'quote_ends.transaction_hash')
        .onRef('positions.log_index', '<', 'quote_ends.log_index'),
    )
    .select(['positions.borrower', 'positions.notional', 'positions.cost', 'positions.position_id'])
    .where('quote_ends.hash', '=', given.hash)
    .where('positions.maker', '=', given.maker)
    .orderBy('positions.log_index', 'desc')
    .limit(1),
)

export const selectStatuses = prepareQuery((on, given: { maker: Buffer; after: number; limit: number }) =>
  on
    .selectFrom('quote_statuses')
    .selectAll()
    .where('maker', '=', given.maker)
    .where('seq', '>', given.after)
    .orderBy('seq')
    .limit(given.limit),
)
export const selectSeq = prepareQuery((on, given: { maker: Buffer }) =>
  on.selectFrom('status_counts').select('last_seq').where('maker', '=', given.maker),
)
export const selectOldestSeq = prepareQuery((on, given: { maker: Buffer }) =>
  on.selectFrom('quote_statuses').select('seq').where('maker', '=', given.maker).orderBy('seq').limit(1),
)
export const selectLastId = prepareQuery((on) =>
  on.selectFrom('quote_statuses').select(({ fn }) => fn.max<number | null>('id').as('last')),
)
export const selectPendingUpdates = prepareQuery((on, given: { after: number }) =>
  on
    .selectFrom('quote_statuses')
    .select(['id', 'maker', 'status', 'final'])
    .where('id', '>', given.after)
    .orderBy('id')
    .limit(1_000),
)
/** IDs increase with `told_at`, so the scan starts with the oldest row. */
export const deleteOldStatuses = prepareQuery((on, given: { before: number; limit: number }) =>
  on
    .deleteFrom('quote_statuses')
    .where('id', 'in', (query) => query.selectFrom('quote_statuses').select('id').orderBy('id').limit(given.limit))
    .where('told_at', '<', given.before)
    .returning('hash'),
)
