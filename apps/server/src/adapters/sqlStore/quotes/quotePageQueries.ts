import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { QuoteRecord } from '../../../ports/store.ts'
import type { PageEnd } from '../sql/cursor.ts'
import { blobLiteral, bound, indexedBy, perDialect, startsWith } from '../sql/dialect.ts'
import { type PreparedQuery, pluck, prepareQuery } from '../sql/preparedQuery.ts'
import { isShown, secondsNumber } from './quoteRows.ts'

/** So many quotes are looked at for one page of a list. */
export const maxRowsExamined = 1_000
/** Some that come while a page is read do not push others out of it. */
const fence = maxRowsExamined + 200

const largest = Number.MAX_SAFE_INTEGER
const none = Buffer.alloc(0)

/** The orders of a list, with the place before the first row and the last place that there can be. Ties go by the age of their rows. */
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

/** What a list is filtered by: null is anything. */
export type Wanted = Record<'maker' | 'taker' | 'pool' | 'series' | 'minNotional' | 'maxNotional', Buffer | null>
/** What a page is asked with: its filters, the present, the most rows, and where the page before ended. */
export type PageValues = Wanted & PageEnd & { now: number; limit: number }
/** The value of one column, and its start, which is what SQLite's indexes hold of a long key. */
export type Within = { value: Buffer; valueStart: Buffer }
/** The last row that is looked at. */
export type Stop = { stopKey: number; stopRow: number }

const columns = { maker: 'maker', taker: 'taker', pool: 'pool_id', series: 'series_key' } as const

/** The rows of an index in its order, of which a page shows what is wanted. */
export type Walk = {
  page: PreparedQuery<PageValues & Within & Stop, string>
  /** The last row to look at; none when fewer are left. */
  stop: PreparedQuery<PageValues & Within, { key: number; row: number; hash: Buffer }>
}

/** The rows that have one value in a column, however a list of them is sorted. */
export type Narrowing = {
  /** How many there are, at most {@link maxRowsExamined}. */
  count: PreparedQuery<Within, { count: number }>
  pages: Record<QuoteSort, PreparedQuery<PageValues & Within, string>>
}

function prepareWalk(sort: QuoteSort, within?: 'pool' | 'series'): Walk {
  const { column, direction } = orders[sort]
  const order = sql.raw(`${column} ${direction}, quotes.rowid ${direction}`)
  const rows = (given: PageValues & Within) => sql`from quotes
    where ${isShown} and ${within ? isWithin(within, given) : sql`true`} and ${isBehind(sort, given)}`
  const isBefore = ({ stopKey, stopRow }: Stop) =>
    sql<SqlBool>`(${sql.ref(column)}, quotes.rowid) ${sql.raw(direction === 'asc' ? '<=' : '>=')} (${bound(stopKey)}, ${bound(stopRow)})`
  return {
    page: pluck(
      prepareQuery((on, given: PageValues & Within & Stop) => ({
        compile: () =>
          // The limit within it keeps all databases from reading anything but the index of the order.
          sql<{ body: string }>`select body from
            (select ${lookedColumns} ${rows(given)} order by ${order} limit ${sql.lit(fence)}) as quotes
            where ${isBefore(given)} and ${isWanted(given)} and ${within === 'series' ? sql`true` : seriesGoesOn(given)}
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
          sql<{ body: string }>`select body from (select ${lookedColumns} ${rows(given, fence)}) as quotes
            where ${isWanted(given)} and ${seriesGoesOn(given)} and ${isBehind(sort, given)}
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

const lookedColumns = sql`quotes.rowid as rowid, maker, taker, pool_id, series_key, notional, deadline, created_at, apr, body`

/** What the index of a pool or a series is searched by. */
function isWithin(by: keyof typeof columns, { value, valueStart }: Within) {
  return sql<SqlBool>`${startsWith(columns[by], valueStart)} and ${sql.ref(columns[by])} = ${bound(value)}`
}

/**
 * As the one index has them that these rows are to be read from. SQLite is told which it is. PostgreSQL has to find it by a plan that it
 * may have made while the table was empty, or believing that one account has most of the rows: so the order is one that no other
 * index has, and the range looks too wide to be read whole and sorted.
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

/** How the rows of one value end, on PostgreSQL, and the order of their index. A maker's rows are not too many to be sorted. */
const ends = {
  maker: { upTo: (value: unknown) => sql<SqlBool>`maker <= ${value}`, order: sql`maker, listed, status, deadline` },
  taker: {
    upTo: (value: unknown) => sql<SqlBool>`(taker, rowid) <= (${value}, ${sql.lit(largest)})`,
    order: sql`taker, rowid`,
  },
  pool: ofRates('pool_id'),
  series: ofRates('series_key'),
}

/** Bound, so that no partial index can serve it. */
const isShownBound = sql<SqlBool>`listed = ${1} and status = ${'active'}`

/** Few quotes are for one taker alone: the index has those. */
const isForOne = sql<SqlBool>`taker <> ${blobLiteral(Buffer.alloc(20))}`

/** The index of the quotes for one taker, on SQLite. */
export const takerIndex = sql`create index quotes_of_taker
  on quotes (substr(taker, 1, 8)) where ${isShown} and ${isForOne}`

/** All filters, for rows of which there are not many. */
function isWanted(given: PageValues) {
  const is = (column: string, sign: string, value: unknown) =>
    sql`${sql.ref(column)} ${sql.raw(sign)} coalesce(${bound(value)}, ${sql.ref(column)})`
  return sql<SqlBool>`deadline >= ${bound(given.now)}
    and ${is('maker', '=', given.maker)} and ${is('taker', '=', given.taker)}
    and ${is('pool_id', '=', given.pool)} and ${is('series_key', '=', given.series)}
    and ${is('notional', '>=', given.minNotional)} and ${is('notional', '<=', given.maxNotional)}`
}

const seriesGoesOn = ({ now }: PageValues) => sql<SqlBool>`
  not exists (select 1 from series where series.series_key = quotes.series_key and expiry <= ${bound(now)})`

/** If the cursor's own row is gone, those that tie with it come again: that is better than none of them. */
function isBehind(sort: QuoteSort, { key, hash }: PageEnd) {
  const { column, direction } = orders[sort]
  const [sign, first] = direction === 'asc' ? ['>', 0] : ['<', largest]
  const row = sql`coalesce((select last.rowid from quotes as last where last.hash = ${bound(hash)}), ${sql.lit(first)})`
  return sql<SqlBool>`(${sql.ref(column)}, quotes.rowid) ${sql.raw(sign)} (${bound(key)}, ${row})`
}

/** Rows that come out of an index in order stay so; SQLite would sort them once more. */
const inOrder = (order: RawBuilder<unknown>) => perDialect({ sqlite: sql``, postgres: sql`order by ${order}` })

// The last, since they are compiled here.

/** A list by its rate has an index of each pool and series, too. */
export const walks = {
  all: { rate: prepareWalk('rate'), created: prepareWalk('created'), deadline: prepareWalk('deadline') },
  pool: { rate: prepareWalk('rate', 'pool') },
  series: { rate: prepareWalk('rate', 'series') },
}

/** The columns of which one value may leave few rows. */
export const narrowings = {
  maker: prepareNarrowing('maker', 'quotes_of_maker'),
  taker: prepareNarrowing('taker', 'quotes_of_taker'),
  pool: prepareNarrowing('pool', 'quotes_by_pool_rate'),
  series: prepareNarrowing('series', 'quotes_by_series_rate'),
}
