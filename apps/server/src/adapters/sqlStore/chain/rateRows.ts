import { type SqlBool, sql } from 'kysely'
import { CursorMovedError } from '../../../ports/errors.ts'
import type { NewRatePoints, RatePoint, RatePointQuery, Store } from '../../../ports/store.ts'
import { amountBlob, amountOf, blobOf, hexOf } from '../sql/blobs.ts'
import { lockSync } from '../sql/locks.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { ask, run, runAll, type Script } from '../sql/script.ts'
import { priceOf, putPrice } from './dayPrices.ts'

const hourSeconds = 3_600
const daySeconds = 86_400
const prunedAtOnce = 200

/**
 * Stores the floating rates of blocks on the synced chain, and the best offers of the days. Existing floating rates are
 * kept.
 */
export function* addRatePoints({ points, offers = [], asOf, keepFrom }: NewRatePoints): Script<void> {
  // Serializes with rollbacks: either the block is already gone, or the rollback will remove these points.
  yield* run(lockSync)
  const [known] = yield* run(selectBlock, { number: Number(asOf.number), hash: blobOf(asOf.hash) })
  if (!known) throw new CursorMovedError('The rates were read from a chain that differs from the synced one.')
  yield* runAll(
    points.map(({ poolId, hour, block, ratePerSec }) =>
      ask(insertPoint, { pool_id: blobOf(poolId), hour, block_number: Number(block), rate: amountBlob(ratePerSec) }),
    ),
  )
  const written = yield* runAll(
    offers.map(({ seriesKey, day, apr, notional }) =>
      ask(upsertOffer, { series_key: blobOf(seriesKey), day, apr, notional: amountBlob(notional) }),
    ),
  )
  yield* runAll(
    offers.flatMap(({ seriesKey, day, price }, index) =>
      written[index]?.length && price ? [putPrice({ series_key: blobOf(seriesKey), day, kind: 'offer' }, price)] : [],
    ),
  )
  const ofDay = Math.floor(keepFrom / daySeconds) * daySeconds
  yield* runAll([ask(pruneFloating, { before: keepFrom }), ...pruneDays.map((query) => ask(query, { before: ofDay }))])
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

/** The newest days with offers for a pool's series. */
export function* listOfferDays(
  query: Parameters<Store['listOfferDays']>[0],
): Script<Awaited<ReturnType<Store['listOfferDays']>>> {
  const { poolId, from, to, limit } = query
  const rows = yield* run(selectOfferDays, { poolId: blobOf(poolId), from, to, limit })
  return rows.map(({ series_key, expiry, day, apr, notional, ...price }) => ({
    ...{ seriesKey: hexOf(series_key), expiry, day, apr, ...priceOf({ apr, expiry, ...price }) },
    notional: amountOf(notional),
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
const upsertOffer = prepareQuery((on, row: Tables['offer_days']) =>
  on
    .insertInto('offer_days')
    .values(pick(row, ['series_key', 'day', 'apr', 'notional']))
    .onConflict((conflict) =>
      conflict
        .columns(['series_key', 'day'])
        .doUpdateSet((eb) => ({ apr: eb.ref('excluded.apr'), notional: eb.ref('excluded.notional') }))
        .where(sql<SqlBool>`excluded.apr < offer_days.apr`),
    )
    .returning('day'),
)
const pruneDays = (['fill_days', 'offer_days', 'day_prices'] as const).map((table) =>
  prepareQuery((on, given: { before: number }) =>
    on
      .deleteFrom(table)
      .where('day', 'in', (query) =>
        query.selectFrom(table).select('day').where('day', '<', given.before).orderBy('day').limit(prunedAtOnce),
      ),
  ),
)
const selectOfferDays = prepareQuery((on, given: Range & { limit: number }) =>
  on
    .selectFrom('series')
    .innerJoin('offer_days', 'offer_days.series_key', 'series.series_key')
    .leftJoin('day_prices', (join) =>
      join
        .onRef('day_prices.series_key', '=', 'offer_days.series_key')
        .onRef('day_prices.day', '=', 'offer_days.day')
        .on('day_prices.kind', '=', 'offer'),
    )
    .selectAll('offer_days')
    .select(['series.expiry', 'day_prices.notional as price_notional', 'day_prices.vrt_amount', 'day_prices.at'])
    .where('series.pool_id', '=', given.poolId)
    .where('offer_days.day', '>=', given.from)
    .where('offer_days.day', '<=', given.to)
    .orderBy('offer_days.day', 'desc')
    .orderBy('series.expiry')
    .limit(given.limit),
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
