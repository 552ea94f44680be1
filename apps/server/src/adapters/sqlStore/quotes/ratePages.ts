// Why: docs/decisions/0072-lists-by-rate.md
import { type SqlBool, sql } from 'kysely'
import type { Address } from 'viem'
import { compareRates, costPerSecond, lowestPrice, type RatePosition } from '../../../domain/rateOrder.ts'
import type { ListFilters } from '../../../ports/store.ts'
import { hexOf } from '../sql/blobs.ts'
import { decodeRateCursor, encodeRateCursor } from '../sql/cursor.ts'
import { bound } from '../sql/dialect.ts'
import { prepareQuery } from '../sql/preparedQuery.ts'
import { ask, run, runAll, type Script } from '../sql/script.ts'
import { type Expiries, findExpiries, findNarrowed, wantedOf } from './quoteFilters.ts'
import { maxRowsExamined, narrowings, selectWalkEnd, selectWalked, type Wanted } from './quotePageQueries.ts'

/** A page of stored texts, best rate first. `expiries` has at least the series of the page. */
export type RatePage = { texts: string[]; nextCursor: string | null; expiries: Expiries }

/** Maximum number of series in a list, the earliest expiries first. */
const maxSeries = 200

/**
 * Reads a page sorted by effective APY as of the list's first page, and within a series by price. Each series' quotes
 * are read in order of price, and the series are merged. At most {@link maxRowsExamined} rows are examined.
 *
 * Lists of several series omit quotes whose series the sync has not stored.
 */
export function* readByRate(filters: ListFilters, now: number, without: readonly Address[]): Script<RatePage> {
  const { limit = 50, cursor, withoutSeries } = filters
  const wanted = wantedOf(filters)
  const after = cursor === undefined ? null : decodeRateCursor(cursor)
  const at = after?.at ?? now
  const expiries =
    filters.seriesKey === undefined ? yield* findOpenSeries(wanted.pool, now) : yield* findExpiries([filters.seriesKey])
  const { seriesKey: onlyKey } = filters
  // A list of one series needs no expiry, because all of its quotes have the same one.
  if (onlyKey !== undefined && (expiries.get(onlyKey) ?? now + 1) <= now)
    return { texts: [], nextCursor: null, expiries }
  const keys = (onlyKey === undefined ? [...expiries.keys()] : [onlyKey]).filter((key) => !withoutSeries?.has(key))
  const terms = new Map(keys.map((key) => [key.slice(2), Math.max(1, (expiries.get(key) ?? at + 1) - at)]))
  const start = after && { ...after, cost: costPerSecond(after.price, after.left) }
  const given: Given = { wanted, now, limit: limit + 1, skipped: makerSet(without) }

  const { places, stop } =
    (yield* readFew(given, terms, start)) ??
    (yield* merge(
      given,
      [...terms].map(([series, left]) => walkFrom(series, left, start)),
    ))
  const page = places.slice(0, limit)
  const end = places.length > limit ? page.at(-1) : stop
  const nextCursor = end ? encodeRateCursor({ ...end, left: terms.get(end.series) ?? 1, at }) : null
  return { texts: page.map(({ body }) => body), nextCursor, expiries }
}

/** `skipped` has makers as upper-case hex digits. `limit` is one more than the page's. */
type Given = { wanted: Wanted; now: number; limit: number; skipped: ReadonlySet<string> }
/** A quote's position and stored text. */
type Place = RatePosition & { body: string }
/** The positions of a page, and where the next page continues if not after the last one. */
type Places = { places: Place[]; stop?: RatePosition }

/** A maker's or a taker's quotes, if they are few. They are all read, and sorted here. */
function* readFew(
  { wanted, now, limit, skipped }: Given,
  terms: ReadonlyMap<string, number>,
  start: RatePosition | null,
): Script<Places | null> {
  const narrowed = yield* findNarrowed(wanted, ['taker', 'maker'])
  if (!narrowed) return null
  const rows = yield* run(narrowings[narrowed.by].rates, { ...wanted, ...narrowed.within, now })
  const places = rows.flatMap(({ maker, series: digits, ...place }): Place[] => {
    const series = digits.toLowerCase()
    const left = terms.get(series)
    return left === undefined || skipped.has(maker)
      ? []
      : [{ ...place, series, cost: costPerSecond(place.price, left) }]
  })
  const following = places.filter((place) => start === null || compareRates(place, start) > 0)
  return { places: following.sort(compareRates).slice(0, limit) }
}

/** One series' quotes in order of price. `last` is the last row examined, and `rows` the ones not yet taken. */
type SeriesWalk = {
  series: string
  left: number
  last: RatePosition
  rows: Place[]
  next: number
  ended: boolean
}

function walkFrom(series: string, left: number, start: RatePosition | null): SeriesWalk {
  const place = () => {
    if (start === null) return { price: -1, row: 0 }
    if (start.series === series) return start
    return { price: lowestPrice(start.cost, left, { orEqual: series > start.series }), row: 0 }
  }
  const { price, row } = place()
  const last = { cost: costPerSecond(price, left), series, price, row }
  return { series, left, last, rows: [], next: 0, ended: false }
}

/** Merges the walks up to the limit, reading more rows of a walk only once it may have the best ones. */
function* merge(given: Given, walks: readonly SeriesWalk[]): Script<Places> {
  if (walks.length === 0) return { places: [] }
  // Every walk advances, so that every page does. Half of the rows are left for the best walks.
  let examine = Math.min(
    Math.ceil((2 * given.limit) / (walks.length + 1)),
    Math.floor(maxRowsExamined / 2 / walks.length),
  )
  yield* readMore(given, walks, examine)
  let left = maxRowsExamined - examine * walks.length
  const places: Place[] = []
  while (places.length < given.limit) {
    const best = bestOf(walks)
    if (!best) return { places }
    const row = best.rows[best.next]
    if (row) {
      places.push(row)
      best.next += 1
    } else if (left === 0) {
      return { places, stop: best.last }
    } else {
      examine = Math.min(2 * examine, left)
      left -= examine
      yield* readMore(given, [best], examine)
    }
  }
  return { places }
}

/** The walk whose next row is the best, or may be if it is not read yet. */
function bestOf(walks: readonly SeriesWalk[]): SeriesWalk | null {
  let best: { walk: SeriesWalk; place: RatePosition } | null = null
  for (const walk of walks) {
    const place = walk.rows[walk.next] ?? (walk.ended ? null : walk.last)
    if (place && (!best || compareRates(place, best.place) < 0)) best = { walk, place }
  }
  return best?.walk ?? null
}

/** Reads the next rows of each walk. */
function* readMore({ wanted, now, skipped }: Given, walks: readonly SeriesWalk[], examine: number): Script<void> {
  const ranges = walks.map(({ series, last: { price, row } }) => {
    const value = Buffer.from(series, 'hex')
    return { value, valueStart: value.subarray(0, 8), price, row, examine, skipped: examine - 1 }
  })
  const found = yield* runAll(ranges.map((range) => ask(selectWalked, { ...wanted, ...range, now })))
  // If all rows examined are wanted, the last of them is known.
  const isFull = walks.map((_, index) => found[index]?.length === examine)
  const ends = yield* runAll(ranges.filter((_, index) => !isFull[index]).map((range) => ask(selectWalkEnd, range)))
  for (const [index, walk] of walks.entries()) {
    const { series, left } = walk
    const placed = <Row extends { price: number; row: number }>(found: Row) => ({
      ...found,
      ...{ series, cost: costPerSecond(found.price, left) },
    })
    const rows = found[index] ?? []
    const end = isFull[index] ? rows.at(-1) : ends.shift()?.[0]
    walk.rows = rows.filter(({ maker }) => !skipped.has(maker)).map(placed)
    walk.next = 0
    walk.ended = end === undefined
    if (end) walk.last = placed(end)
  }
}

const makerSets = new WeakMap<readonly Address[], ReadonlySet<string>>()

/** The makers as upper-case hex digits. Remembered, because the list of a caller rarely changes. */
function makerSet(makers: readonly Address[]): ReadonlySet<string> {
  const known = makerSets.get(makers)
  if (known) return known
  const made = new Set(makers.map((maker) => maker.slice(2).toUpperCase()))
  makerSets.set(makers, made)
  return made
}

const selectOpenSeries = prepareQuery((on, given: { pool: Buffer | null; now: number }) =>
  on
    .selectFrom('series')
    .select(['series_key', 'expiry'])
    .where('expiry', '>', given.now)
    .where(({ ref }) => sql<SqlBool>`pool_id = coalesce(${bound(given.pool)}, ${ref('pool_id')})`)
    .orderBy('expiry')
    .orderBy('series_key')
    .limit(sql.lit(maxSeries)),
)

function* findOpenSeries(pool: Buffer | null, now: number): Script<Expiries> {
  const rows = yield* run(selectOpenSeries, { pool, now })
  return new Map(rows.map(({ series_key, expiry }) => [hexOf(series_key), expiry]))
}
