import { sql } from 'kysely'
import { CursorMovedError } from '../../../ports/errors.ts'
import type { NewRatePoints, RatePoint, RatePointQuery, Store } from '../../../ports/store.ts'
import { amountBlob, amountOf, blobOf, hexOf } from '../sql/blobs.ts'
import { lockSync } from '../sql/locks.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { ask, run, runAll, type Script } from '../sql/script.ts'

const hourSeconds = 3_600
const daySeconds = 86_400
const prunedAtOnce = 200

/** Stores the floating rates of blocks on the synced chain. Existing points are kept. */
export function* addRatePoints({ points, asOf, keepFrom }: NewRatePoints): Script<void> {
  // Serializes with rollbacks: either the block is already gone, or the rollback will remove these points.
  yield* run(lockSync)
  const [known] = yield* run(selectBlock, { number: Number(asOf.number), hash: blobOf(asOf.hash) })
  if (!known) throw new CursorMovedError('The rates were read from a chain that differs from the synced one.')
  yield* runAll(
    points.map(({ poolId, hour, block, ratePerSec }) =>
      ask(insertPoint, { pool_id: blobOf(poolId), hour, block_number: Number(block), rate: amountBlob(ratePerSec) }),
    ),
  )
  const ofDay = Math.floor(keepFrom / daySeconds) * daySeconds
  yield* runAll([ask(pruneFloating, { before: keepFrom }), ask(pruneDays, { before: ofDay })])
}

/** A pool's rate points, oldest first: either all points or the first of each day. */
export function* listRatePoints({ poolId, from, to, step }: RatePointQuery): Script<RatePoint[]> {
  const query = step === hourSeconds ? selectHours : selectDays
  const rows = yield* run(query, { poolId: blobOf(poolId), from, to })
  return rows.map(({ hour, block_number, rate }) => ({
    poolId,
    hour,
    block: BigInt(block_number),
    ratePerSec: amountOf(rate),
  }))
}

/** All pools' rate points in a range, newest hour first. */
export function* listRateHours(range: {
  from: number
  to: number
}): Script<Awaited<ReturnType<Store['listRateHours']>>> {
  return (yield* run(selectKnown, range)).map(({ pool_id, hour, block_number }) => ({
    poolId: hexOf(pool_id),
    hour,
    block: BigInt(block_number),
  }))
}

const selectBlock = prepareQuery((on, given: { number: number; hash: Buffer }) =>
  on.selectFrom('blocks').select('number').where('number', '=', given.number).where('hash', '=', given.hash),
)
const insertPoint = prepareQuery((on, row: Tables['floating_points']) =>
  on
    .insertInto('floating_points')
    .values(pick(row, ['pool_id', 'hour', 'block_number', 'rate']))
    .onConflict((conflict) => conflict.columns(['pool_id', 'hour']).doNothing()),
)
const pruneFloating = prepareQuery((on, given: { before: number }) =>
  on
    .deleteFrom('floating_points')
    .where('hour', 'in', (query) =>
      query
        .selectFrom('floating_points')
        .select('hour')
        .where('hour', '<', given.before)
        .orderBy('hour')
        .limit(prunedAtOnce),
    ),
)
const pruneDays = prepareQuery((on, given: { before: number }) =>
  on
    .deleteFrom('fill_days')
    .where('day', 'in', (query) =>
      query.selectFrom('fill_days').select('day').where('day', '<', given.before).orderBy('day').limit(prunedAtOnce),
    ),
)

type Range = { poolId: Buffer; from: number; to: number }
const selectHours = prepareQuery((on, given: Range) =>
  on
    .selectFrom('floating_points')
    .selectAll()
    .where('pool_id', '=', given.poolId)
    .where('hour', '>=', given.from)
    .where('hour', '<=', given.to)
    .orderBy('hour'),
)
const selectDays = prepareQuery((on, given: Range) =>
  on
    .selectFrom('floating_points')
    .selectAll()
    .where('pool_id', '=', given.poolId)
    .where('hour', 'in', (query) =>
      query
        .selectFrom('floating_points')
        .select(({ fn }) => fn.min<number>('hour').as('first'))
        .where('pool_id', '=', given.poolId)
        .where('hour', '>=', given.from)
        .where('hour', '<=', given.to)
        .groupBy(sql.raw(`hour / ${daySeconds}`)),
    )
    .orderBy('hour'),
)
const selectKnown = prepareQuery((on, given: { from: number; to: number }) =>
  on
    .selectFrom('floating_points')
    .select(['pool_id', 'hour', 'block_number'])
    .where('hour', '>=', given.from)
    .where('hour', '<=', given.to)
    .orderBy('hour', 'desc'),
)
