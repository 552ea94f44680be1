import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { QuoteRecord } from '../../../ports/store.ts'
import type { PageEnd } from '../sql/cursor.ts'
import { blobLiteral, bound, hexDigits, indexedBy, perDialect, startsWith } from '../sql/dialect.ts'
import { type PreparedQuery, pluck, prepareQuery } from '../sql/preparedQuery.ts'
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
 * Sort orders by a column, each with the position before the first row and the position after the last row. Rows with
 * the same sort key are ordered by age.
 */
export const orders = {
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
/** A page's parameters. */
export type PageValues = Wanted & PageEnd & { now: number; limit: number }
/** A column value, and the prefix of it stored in SQLite's indexes. */
export type Within = { value: Buffer; valueStart: Buffer }
/** The last row to examine. */
export type Stop = { stopKey: number; stopRow: number }

const columns = { maker: 'maker', taker: 'taker', pool: 'pool_id', series: 'series_key' } as const

/** An index scan in list order, from which a page selects the matching rows. */
export type Scan = {
  page: PreparedQuery<PageValues & Stop, string>
  /** The last row to examine. Returns no row if fewer rows remain. */
  stop: PreparedQuery<PageValues, { key: number; row: number; hash: Buffer }>
}

/** Queries for the rows that share one value in a column, in any list order. */
export type Narrowing = {
  /** Counts the rows, up to {@link maxRowsExamined}. */
  count: PreparedQuery<Within, { count: number }>
  pages: Record<QuoteSort, PreparedQuery<PageValues & Within, string>>
  /** The rows with what determines their place in a list sorted by rate. */
  rates: PreparedQuery<Omit<PageValues, keyof PageEnd | 'limit'> & Within, RateRow & { series: string }>
}

/** A row in a list sorted by rate. `maker` and `series` are upper-case hex digits. */
export type RateRow = { price: number; row: number; maker: string; body: string }

function prepareScan(sort: QuoteSort): Scan {
  const { column, direction } = orders[sort]
  const order = sql.raw(`${column} ${direction}, quotes.rowid ${direction}`)
  const rows = (given: PageValues) => sql`from quotes where ${isShown} and ${isAfter(sort, given)}`
  const isBefore = ({ stopKey, stopRow }: Stop) =>
    sql<SqlBool>`(${sql.ref(column)}, quotes.rowid) ${sql.raw(direction === 'asc' ? '<=' : '>=')} (${bound(stopKey)}, ${bound(stopRow)})`
  return {
    page: pluck(
      prepareQuery((on, given: PageValues & Stop) => ({
        compile: () =>
          // The inner limit ensures that both databases read only the index for this order.
          sql<{ body: string }>`select body from
            (select ${scannedColumns} ${rows(given)} order by ${order} limit ${sql.lit(scanLimit)}) as quotes
            where ${isBefore(given)} and ${isWanted(given)} and ${hasUnexpiredSeries(given)}
            ${inOrder(order)} limit ${bound(given.limit)}`.compile(on),
      })),
    ),
    stop: prepareQuery((on, given: PageValues) => ({
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
            where ${isWanted(given)} and ${hasUnexpiredSeries(given)}
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
    pages: { created: preparePage('created'), deadline: preparePage('deadline') },
    rates: prepareQuery((on, given: Omit<PageValues, keyof PageEnd | 'limit'> & Within) => ({
      compile: () =>
        sql<RateRow & { series: string }>`
          select ${rateColumns}, ${hexDigits('series_key')} as series
          from (select ${scannedColumns} ${rows(given, scanLimit)}) as quotes where ${isWanted(given)}`.compile(on),
    })),
  }
}

const scannedColumns = sql`quotes.rowid as rowid, hash, maker, taker, pool_id, series_key, notional, deadline, created_at, price, body`
const rateColumns = sql`price, rowid as row, ${hexDigits('maker')} as maker, body`

/** The next rows of one series in order of price, up to `examine`. */
export type Walk = Within & { price: number; row: number; examine: number }

const walkedRows = (given: Walk) => sql`from quotes ${indexedBy('quotes_by_series_price')}
  where ${isShown} and ${startsWith('series_key', given.valueStart)} and series_key = ${bound(given.value)}
  and (price, quotes.rowid) > (${bound(given.price)}, ${bound(given.row)}) order by price, quotes.rowid`

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

const byAge = (column: string) => ({
  upTo: (value: unknown) => sql<SqlBool>`(${sql.ref(column)}, rowid) <= (${value}, ${sql.lit(largest)})`,
  order: sql`${sql.ref(column)}, rowid`,
})

/**
 * PostgreSQL's upper bounds for the rows with one value, and the order of the index that contains them. A maker has few
 * enough rows to sort.
 */
const ends = {
  maker: { upTo: (value: unknown) => sql<SqlBool>`maker <= ${value}`, order: sql`maker, listed, status, deadline` },
  taker: byAge('taker'),
  pool: byAge('pool_id'),
  series: {
    upTo: (value: unknown) => sql<SqlBool>`(series_key, price) <= (${value}, 'infinity'::double precision)`,
    order: sql`series_key, price, rowid`,
  },
}

/** The values are bound parameters, so that no partial index matches the condition. */
const isShownBound = sql<SqlBool>`listed = ${1} and status = ${'active'}`

/** Condition for quotes reserved for one taker. The index contains only these quotes, which are few. */
const isForOne = sql<SqlBool>`taker <> ${blobLiteral(Buffer.alloc(20))}`

/** SQLite's index of quotes reserved for one taker. */
export const takerIndex = sql`create index quotes_of_taker
  on quotes (substr(taker, 1, 8)) where ${isShown} and ${isForOne}`

/** The combined condition of all filters, for a small number of rows. */
function isWanted(given: Wanted & { now: number }) {
  const is = (column: string, sign: string, value: unknown) =>
    sql`${sql.ref(column)} ${sql.raw(sign)} coalesce(${bound(value)}, ${sql.ref(column)})`
  return sql<SqlBool>`deadline >= ${bound(given.now)}
    and ${is('maker', '=', given.maker)} and ${is('taker', '=', given.taker)}
    and ${is('pool_id', '=', given.pool)} and ${is('series_key', '=', given.series)}
    and ${is('notional', '>=', given.minNotional)} and ${is('notional', '<=', given.maxNotional)}`
}

const hasUnexpiredSeries = ({ now }: Pick<PageValues, 'now'>) => sql<SqlBool>`
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

export const scans = { created: prepareScan('created'), deadline: prepareScan('deadline') }

/** Columns whose filters may reduce a list to a few rows. */
export const narrowings = {
  maker: prepareNarrowing('maker', 'quotes_of_maker'),
  taker: prepareNarrowing('taker', 'quotes_of_taker'),
  pool: prepareNarrowing('pool', 'quotes_of_pool'),
  series: prepareNarrowing('series', 'quotes_by_series_price'),
}

/** The wanted rows among the next ones of a walk. */
export const selectWalked = prepareQuery((on, given: Wanted & Walk & { now: number }) => ({
  compile: () =>
    sql<RateRow>`select ${rateColumns}
      from (select ${scannedColumns} ${walkedRows(given)} limit ${bound(given.examine)}) as quotes
      where ${isWanted(given)} ${inOrder(sql`price, rowid`)}`.compile(on),
}))

/** The last of the next rows of a walk. Returns no row if fewer remain. */
export const selectWalkEnd = prepareQuery((on, given: Walk & { skipped: number }) => ({
  compile: () =>
    sql<{ price: number; row: number }>`select price, quotes.rowid as row ${walkedRows(given)}
      limit 1 offset ${bound(given.skipped)}`.compile(on),
}))
