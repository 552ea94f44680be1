import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { EventPosition, Tables } from '../sql/schema.ts'

// Queries on synced chain data.

const position = [
  'block_number',
  'block_hash',
  'log_index',
  'transaction_hash',
] as const satisfies (keyof EventPosition)[]

export const insertEnd = prepareQuery((on, row: Tables['quote_ends']) =>
  on.insertInto('quote_ends').values(pick(row, ['hash', 'status', ...position])),
)
export const insertRaise = prepareQuery((on, row: Tables['nonce_raises']) =>
  on.insertInto('nonce_raises').values(pick(row, ['maker', 'nonce', ...position])),
)
export const insertPool = prepareQuery((on, row: Tables['pools']) =>
  on.insertInto('pools').values(pick(row, ['pool_id', 'loan_token', 'adapter', 'market', ...position])),
)
export const insertSeries = prepareQuery((on, row: Tables['series']) =>
  on.insertInto('series').values(pick(row, ['series_key', 'pool_id', 'expiry', 'cap', ...position])),
)
export const insertPosition = prepareQuery((on, row: Omit<Tables['positions'], 'settled' | 'opened_at'>) =>
  on
    .insertInto('positions')
    .values(
      pick(row, [
        ...(['position_id', 'maker', 'borrower', 'pool_id', 'series_key'] as const),
        ...(['notional', 'cost', 'opening_index', ...position] as const),
      ]),
    ),
)
export const insertSettlement = prepareQuery((on, row: Tables['settlements']) =>
  on.insertInto('settlements').values(pick(row, ['position_id', 'to_borrower', 'to_maker', ...position])),
)

export const markSettled = prepareQuery((on, { position_id }: { position_id: Buffer }) =>
  on.updateTable('positions').set({ settled: 1 }).where('position_id', '=', position_id),
)

type Above = { kept: number }
export const deleteEnds = prepareQuery((on, { kept }: Above) =>
  on.deleteFrom('quote_ends').where('block_number', '>', kept).returning('hash'),
)
export const deleteRaises = prepareQuery((on, { kept }: Above) =>
  on.deleteFrom('nonce_raises').where('block_number', '>', kept).returning('maker'),
)
export const reopenPositions = prepareQuery((on, { kept }: Above) =>
  on
    .updateTable('positions')
    .set({ settled: 0 })
    .where('position_id', 'in', (inner) =>
      inner.selectFrom('settlements').select('position_id').where('block_number', '>', kept),
    ),
)
export const deleteOthers = (['pools', 'series', 'positions', 'settlements', 'floating_points'] as const).map((table) =>
  prepareQuery((on, { kept }: Above) => on.deleteFrom(table).where('block_number', '>', kept)),
)

/** For each kind of event, the newest block at or below `atMost` that has a stored event. */
export const selectNewest = (
  ['quote_ends', 'nonce_raises', 'pools', 'series', 'positions', 'settlements'] as const
).map((table) =>
  prepareQuery((on, { atMost }: { atMost: number }) =>
    on
      .selectFrom(table)
      .select(['block_number', 'block_hash'])
      .where('block_number', '<=', atMost)
      .orderBy('block_number', 'desc')
      .limit(1),
  ),
)

export const selectCursor = prepareQuery((on) => on.selectFrom('sync_cursor').selectAll())
export const upsertCursor = prepareQuery((on, given: Omit<Tables['sync_cursor'], 'id'>) => {
  const row = pick(given, ['number', 'hash', 'timestamp'])
  return on
    .insertInto('sync_cursor')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
})
export const deleteCursor = prepareQuery((on) => on.deleteFrom('sync_cursor'))

export const selectBlocks = prepareQuery((on) => on.selectFrom('blocks').selectAll().orderBy('number'))
export const insertBlock = prepareQuery((on, row: Tables['blocks']) =>
  on.insertInto('blocks').values(pick(row, ['number', 'hash'])),
)
export const insertMissingBlock = prepareQuery((on, row: Tables['blocks']) =>
  on
    .insertInto('blocks')
    .values(pick(row, ['number', 'hash']))
    .onConflict((conflict) => conflict.column('number').doNothing()),
)
export const deleteBlocks = prepareQuery((on, { kept }: Above) => on.deleteFrom('blocks').where('number', '>', kept))
export const pruneBlocks = prepareQuery((on, { through }: { through: number }) =>
  on.deleteFrom('blocks').where('number', '<=', through),
)

export const selectPools = prepareQuery((on) =>
  on.selectFrom('pools').selectAll().orderBy('block_number').orderBy('log_index'),
)
export const selectSeries = prepareQuery((on) =>
  on.selectFrom('series').selectAll().orderBy('expiry').orderBy('series_key'),
)
export const selectSeriesOfPool = prepareQuery((on, { poolId }: { poolId: Buffer }) =>
  on.selectFrom('series').selectAll().where('pool_id', '=', poolId).orderBy('expiry').orderBy('series_key'),
)
export const selectOpenPositions = prepareQuery((on, { account }: { account: Buffer }) =>
  on
    .selectFrom('positions')
    .innerJoin('series', 'series.series_key', 'positions.series_key')
    .selectAll('positions')
    .select('series.expiry')
    .where(({ or, eb }) => or([eb('maker', '=', account), eb('borrower', '=', account)]))
    .where('settled', '=', 0)
    .orderBy('position_id'),
)
