import type { BlockRef } from '@firmquote/core'
import { sql } from 'kysely'
import { fillMedian } from '../../../domain/fillMedian.ts'
import { type FillDay, fillsOfDay, type Store, type SyncedBlock } from '../../../ports/store.ts'
import { amountBlob, amountOf, blobOf, hexOf } from '../sql/blobs.ts'
import { unindexed } from '../sql/dialect.ts'
import { lockSync } from '../sql/locks.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { ask, run, runAll, type Script } from '../sql/script.ts'
import { dropPrice, priceOf, putPrice } from './dayPrices.ts'

const daySeconds = 86_400

/** A series, and a day as the number of days since 1970. */
type SeriesDay = { series_key: Buffer; day: number }

/** Blocks above a number with undated fills, newest first. */
export function* listUndatedFills(given: Parameters<Store['listUndatedFills']>[0]): Script<SyncedBlock[]> {
  const rows = yield* run(selectUndated, { above: Number(given.above), limit: given.limit })
  return rows.map(({ block_number, block_hash }) => ({ number: BigInt(block_number), hash: hexOf(block_hash) }))
}

/** Dates these blocks' fills and derives their days again. Idempotent. */
export function* dateFills(blocks: readonly BlockRef[]): Script<void> {
  // Serializes with writes that add and delete fills; otherwise, a day could be derived from only some of its fills.
  yield* run(lockSync)
  const dated = yield* runAll(
    blocks.map(({ number, hash, timestamp }) =>
      ask(updateTime, { number: Number(number), hash: blobOf(hash), time: Number(timestamp) }),
    ),
  )
  const days = new Map<string, SeriesDay>()
  for (const { series_key, day } of dated.flat()) days.set(`${hexOf(series_key)} ${day}`, { series_key, day })
  yield* deriveDays([...days.values()])
}

/** The days of the dated fills above a block. */
export function* listDaysAbove(kept: number): Script<SeriesDay[]> {
  return yield* run(selectDaysAbove, { kept })
}

/** Derives days from their fills. A day's row depends only on them, so every instance derives the same row. */
export function* deriveDays(days: readonly SeriesDay[]): Script<void> {
  const found = yield* runAll(days.map((day) => ask(selectFills, { ...day, limit: fillsOfDay })))
  const keys = days.map(({ series_key, day }) => ({ series_key, day: day * daySeconds }))
  yield* runAll(keys.flatMap((key) => [ask(deleteDay, key), dropPrice({ ...key, kind: 'fills' })]))
  yield* runAll(
    keys.flatMap((key, index) => {
      const rows = found[index] ?? []
      const fills = rows.map(({ notional, cost, opened_at }) => ({
        ...{ notional: amountOf(notional), cost: amountOf(cost), openedAt: opened_at ?? 0 },
      }))
      const median = fillMedian(fills, rows[0]?.expiry ?? 0)
      if (median === null) return []
      const { apr, price, notional, count } = median
      const day = { ...key, apr, notional: amountBlob(notional), fills: count }
      return [ask(insertDay, day), putPrice({ ...key, kind: 'fills' }, price)]
    }),
  )
}

/** The newest days with fills in a pool's series. */
export function* listFillDays({ poolId, from, to, limit }: Parameters<Store['listFillDays']>[0]): Script<FillDay[]> {
  const rows = yield* run(selectDays, { poolId: blobOf(poolId), from, to, limit })
  return rows
    .map(({ series_key, expiry, day, apr, notional, fills, ...price }) => ({
      ...{ seriesKey: hexOf(series_key), expiry, day, apr, ...priceOf({ apr, expiry, ...price }) },
      ...{ notional: amountOf(notional), count: fills },
    }))
    .sort((a, b) => a.expiry - b.expiry || a.seriesKey.localeCompare(b.seriesKey) || a.day - b.day)
}

/** The day number of a fill. Must match the expression in both databases' indexes exactly. */
const dayNumber = sql<number>`opened_at / ${sql.raw(String(daySeconds))}`
const isUndated = sql<boolean>`opened_at is null`

const selectUndated = prepareQuery((on, given: { above: number; limit: number }) =>
  on
    .selectFrom('positions')
    .select(['block_number', 'block_hash'])
    .distinct()
    .where(isUndated)
    .where('block_number', '>', given.above)
    .orderBy('block_number', 'desc')
    .limit(given.limit),
)
const updateTime = prepareQuery((on, given: { number: number; hash: Buffer; time: number }) =>
  on
    .updateTable('positions')
    .set({ opened_at: given.time })
    .where('block_number', '=', given.number)
    .where('block_hash', '=', given.hash)
    .where(isUndated)
    .returning(['series_key', dayNumber.as('day')]),
)
const selectDaysAbove = prepareQuery((on, given: { kept: number }) =>
  on
    .selectFrom('positions')
    .select([unindexed<Buffer>('series_key').as('series_key'), dayNumber.as('day')])
    .distinct()
    .where('block_number', '>', given.kept)
    .where('opened_at', 'is not', null),
)
const selectFills = prepareQuery((on, given: SeriesDay & { limit: number }) =>
  on
    .selectFrom('positions')
    .innerJoin('series', 'series.series_key', 'positions.series_key')
    .select(['positions.notional', 'positions.cost', 'positions.opened_at', 'series.expiry'])
    .where('positions.series_key', '=', given.series_key)
    .where(dayNumber, '=', given.day)
    .orderBy('positions.notional', 'desc')
    .orderBy('positions.position_id', 'desc')
    .limit(given.limit),
)
const deleteDay = prepareQuery((on, given: SeriesDay) =>
  on.deleteFrom('fill_days').where('series_key', '=', given.series_key).where('day', '=', given.day),
)
const insertDay = prepareQuery((on, row: Tables['fill_days']) =>
  on.insertInto('fill_days').values(pick(row, ['series_key', 'day', 'apr', 'notional', 'fills'])),
)
const selectDays = prepareQuery((on, given: { poolId: Buffer; from: number; to: number; limit: number }) =>
  on
    .selectFrom('series')
    .innerJoin('fill_days', 'fill_days.series_key', 'series.series_key')
    .leftJoin('day_prices', (join) =>
      join
        .onRef('day_prices.series_key', '=', 'fill_days.series_key')
        .onRef('day_prices.day', '=', 'fill_days.day')
        .on('day_prices.kind', '=', 'fills'),
    )
    .selectAll('fill_days')
    .select(['series.expiry', 'day_prices.notional as price_notional', 'day_prices.vrt_amount', 'day_prices.at'])
    .where('series.pool_id', '=', given.poolId)
    .where('fill_days.day', '>=', given.from)
    .where('fill_days.day', '<=', given.to)
    .orderBy('fill_days.day', 'desc')
    .orderBy('series.expiry')
    .limit(given.limit),
)
