import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { QuoteRecord } from '../../../ports/store.ts'
import type { PageEnd } from '../sql/cursor.ts'
import { blobLiteral, bound, indexedBy, perDialect, startsWith } from '../sql/dialect.ts'
import { blobsOf, type PreparedQuery, pluck, prepareQuery } from '../sql/preparedQuery.ts'
import { isShown, secondsNumber } from './quoteRows.ts'

/** Maximum number of quotes examined per page. */
export const maxRowsExamined = 1_000
/**
 * Maximum number of rows scanned. The margin ensures that quotes inserted during the read do not displace other quotes.
 */
const scanLimit = maxRowsExamined + 200

const largest = Number.MAX_SAFE_INTEGER
const none = Buffer.alloc(0)

/**
 * Sort orders, each with the position before the first row and the position after the last row. Rows with the same sort
 * key are ordered by age.
 */
export const orders = {
  rate: {
    ...({ column: 'apr', direction: 'asc' } as const),
    keyOf: ({ apr }: QuoteRecord) => apr,
    start: (): PageEnd => ({ key: Number.NEGATIVE_INFINITY, hash: none }),
    end: { stopKey: Number.POSITIVE_INFINITY, stopRow: largest },
  },
  created: {
    ...({ column: 'created_at', direction: 'desc' } as const),
    keyOf: ({ createdAt }: QuoteRecord) => createdAt,
    start: (): PageEnd => ({ key: largest, hash: none }),
    end: { stopKey: 0, stopRow: 0 },
  },
  deadline: {
    ...({ column: 'deadline', direction: 'asc' } as const),
    keyOf: ({ quote }: QuoteRecord) => secondsNumber(quote.deadline),
    start: (now: number): PageEnd => ({ key: now, hash: none }),
    end: { stopKey: largest, stopRow: largest },
  },
}

export type QuoteSort = keyof typeof orders

/** The filters applied to a list. A null filter matches everything. */
export type Wanted = Record<'maker' | 'taker' | 'pool' | 'series' | 'minNotional' | 'maxNotional', Buffer | null>
/** A page's parameters. `leftOut` lists the makers omitted from lists sorted by rate. */
export type PageValues = Wanted & PageEnd & { now: number; limit: number; leftOut: readonly Buffer[] }
/** A column value, and the prefix of it stored in SQLite's indexes. */
export type Within = { value: Buffer; valueStart: Buffer }
/** The last row to examine. */
export type Stop = { stopKey: number; stopRow: number }

const columns = { maker: 'maker', taker: 'taker', pool: 'pool_id', series: 'series_key' } as const

/** An index scan in list order, from which a page selects the matching rows. */
export type Scan = {
  page: PreparedQuery<PageValues & Within & Stop, string>
  /** The last row to examine. Returns no row if fewer rows remain. */
  stop: PreparedQuery<PageValues & Within, { key: number; row: number; hash: Buffer }>
}

/** Queries for the rows that share one value in a column, in any list order. */
export type Narrowing = {
  /** Counts the rows, up to {@link maxRowsExamined}. */
  count: PreparedQuery<Within, { count: number }>
  pages: Record<QuoteSort, PreparedQuery<PageValues & Within, string>>
}

function prepareScan(sort: QuoteSort, within?: 'pool' | 'series'): Scan {
  const { column, direction } = orders[sort]
  const order = sql.raw(`${column} ${direction}, quotes.rowid ${direction}`)
  const rows = (given: PageValues & Within) => sql`from quotes
    where ${isShown} and ${within ? isWithin(within, given) : sql`true`} and ${isAfter(sort, given)}`
  const isBefore = ({ stopKey, stopRow }: Stop) =>
    sql<SqlBool>`(${sql.ref(column)}, quotes.rowid) ${sql.raw(direction === 'asc' ? '<=' : '>=')} (${bound(stopKey)}, ${bound(stopRow)})`
  return {
    page: pluck(
      prepareQuery((on, given: PageValues & Within & Stop) => ({
        compile: () =>
          // The inner limit ensures that both databases read only the index for this order.
          sql<{ body: string }>`select body from
            (select ${scannedColumns} ${rows(given)} order by ${order} limit ${sql.lit(scanLimit)}) as quotes
            where ${isBefore(given)} and ${isWanted(given)} and ${isKept(sort, given)} and ${within === 'series' ? sql`true` : hasUnexpiredSeries(given)}
            ${inOrder(order)} limit ${bound(given.limit)}`.compile(on),
      })),
    ),
    stop: prepareQuery((on, given: PageValues & Within) => ({
      compile: () =>
        sql<{ key: number; row: number; hash: Buffer }>`
          select ${sql.ref(column)} as key, quotes.rowid as row, hash ${rows(given)}
          order by ${order} limit 1 offset ${sql.lit(maxRowsExamined - 1)}`.compile(on),
    })),
  }
}

function prepareNarrowing(by: keyof typeof columns, index: string): Narrowing {
  const rows = (given: Within, limit: number) => narrowedRows(by, index, given, limit)
  const preparePage = (sort: QuoteSort) => {
    const { column, direction } = orders[sort]
    return pluck(
      prepareQuery((on, given: PageValues & Within) => ({
        compile: () =>
          sql<{ body: string }>`select body from (select ${scannedColumns} ${rows(given, scanLimit)}) as quotes
            where ${isWanted(given)} and ${isKept(sort, given)} and ${hasUnexpiredSeries(given)}
            and ${isAfter(sort, given)}
            order by ${sql.raw(`${column} ${direction}, quotes.rowid ${direction}`)} limit ${bound(given.limit)}`.compile(
            on,
          ),
      })),
    )
  }
  return {
    count: prepareQuery((on, given: Within) => ({
      compile: () =>
        sql<{
          count: number
        }>`select count(*) as count from (select 1 ${rows(given, maxRowsExamined)}) as narrowed`.compile(on),
    })),
    pages: { rate: preparePage('rate'), created: preparePage('created'), deadline: preparePage('deadline') },
  }
}

const scannedColumns = sql`quotes.rowid as rowid, maker, taker, pool_id, series_key, notional, deadline, created_at, apr, body`

/** The condition that restricts an index scan to one pool or series. */
function isWithin(by: keyof typeof columns, { value, valueStart }: Within) {
  return sql<SqlBool>`${startsWith(columns[by], valueStart)} and ${sql.ref(columns[by])} = ${bound(value)}`
}

/**
 * Rows in index order. Only one index may be used. On SQLite, the query names the index. PostgreSQL
 * chooses an index by cost, and may use a cached plan made for an empty table or based on skewed statistics. This order
 * therefore matches no other index, and the condition is written so that PostgreSQL estimates too many rows to sort.
 */
function narrowedRows(by: keyof typeof columns, index: string, given: Within, limit: number): RawBuilder<unknown> {
  const column = sql.ref(columns[by])
  const shown = by === 'taker' ? sql<SqlBool>`${isShown} and ${isForOne}` : isShown
  const start = by === 'maker' ? sql<SqlBool>`true` : startsWith(columns[by], given.valueStart)
  const { upTo, order } = ends[by]
  return perDialect({
    sqlite: sql`from quotes ${indexedBy(index)}
      where ${shown} and ${start} and ${column} = ${bound(given.value)} limit ${sql.lit(limit)}`,
    postgres: sql`from quotes
      where ${by === 'maker' ? isShownBound : shown} and ${column} >= ${given.value} and ${upTo(given.value)}
      order by ${order} limit ${sql.lit(limit)}`,
  })
}

const ofRates = (column: string) => ({
  upTo: (value: unknown) => sql<SqlBool>`(${sql.ref(column)}, apr) <= (${value}, 'infinity'::double precision)`,
  order: sql`${sql.ref(column)}, apr, rowid`,
})

/**
 * PostgreSQL's upper bounds for the rows with one value, and the order of the index that contains them. A maker has few
 * enough rows to sort.
 */
const ends = {
  maker: { upTo: (value: unknown) => sql<SqlBool>`maker <= ${value}`, order: sql`maker, listed, status, deadline` },
  taker: {
    upTo: (value: unknown) => sql<SqlBool>`(taker, rowid) <= (${value}, ${sql.lit(largest)})`,
    order: sql`taker, rowid`,
  },
  pool: ofRates('pool_id'),
  series: ofRates('series_key'),
}

/** The values are bound parameters, so that no partial index matches the condition. */
const isShownBound = sql<SqlBool>`listed = ${1} and status = ${'active'}`

/** Condition for quotes reserved for one taker. The index contains only these quotes, which are few. */
const isForOne = sql<SqlBool>`taker <> ${blobLiteral(Buffer.alloc(20))}`

/** SQLite's index of quotes reserved for one taker. */
export const takerIndex = sql`create index quotes_of_taker
  on quotes (substr(taker, 1, 8)) where ${isShown} and ${isForOne}`

/** The combined condition of all filters, for a small number of rows. */
function isWanted(given: PageValues) {
  const is = (column: string, sign: string, value: unknown) =>
    sql`${sql.ref(column)} ${sql.raw(sign)} coalesce(${bound(value)}, ${sql.ref(column)})`
  return sql<SqlBool>`deadline >= ${bound(given.now)}
    and ${is('maker', '=', given.maker)} and ${is('taker', '=', given.taker)}
    and ${is('pool_id', '=', given.pool)} and ${is('series_key', '=', given.series)}
    and ${is('notional', '>=', given.minNotional)} and ${is('notional', '<=', given.maxNotional)}`
}

const isKept = (sort: QuoteSort, { leftOut }: PageValues) =>
  sort === 'rate' ? sql<SqlBool>`maker not in ${blobsOf(leftOut)}` : sql<SqlBool>`true`

const hasUnexpiredSeries = ({ now }: PageValues) => sql<SqlBool>`
  not exists (select 1 from series where series.series_key = quotes.series_key and expiry <= ${bound(now)})`

/** If the cursor's row has been pruned, other rows with its sort key are repeated, but no row is skipped. */
function isAfter(sort: QuoteSort, { key, hash }: PageEnd) {
  const { column, direction } = orders[sort]
  const [sign, first] = direction === 'asc' ? ['>', 0] : ['<', largest]
  const row = sql`coalesce((select last.rowid from quotes as last where last.hash = ${bound(hash)}), ${sql.lit(first)})`
  return sql<SqlBool>`(${sql.ref(column)}, quotes.rowid) ${sql.raw(sign)} (${bound(key)}, ${row})`
}

/** Orders rows as in an index. The clause is omitted on SQLite, which would sort the rows again. */
const inOrder = (order: RawBuilder<unknown>) => perDialect({ sqlite: sql``, postgres: sql`order by ${order}` })

// Defined last, because their queries are compiled immediately.

/** Lists sorted by rate also have an index for each pool and series. */
export const scans = {
  all: { rate: prepareScan('rate'), created: prepareScan('created'), deadline: prepareScan('deadline') },
  pool: { rate: prepareScan('rate', 'pool') },
  series: { rate: prepareScan('rate', 'series') },
}

/** Columns whose filters may reduce a list to a few rows. */
export const narrowings = {
  maker: prepareNarrowing('maker', 'quotes_of_maker'),
  taker: prepareNarrowing('taker', 'quotes_of_taker'),
  pool: prepareNarrowing('pool', 'quotes_by_pool_rate'),
  series: prepareNarrowing('series', 'quotes_by_series_rate'),
}
