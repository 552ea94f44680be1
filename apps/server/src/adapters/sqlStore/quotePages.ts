import type { QuoteFilters } from '@firmquote/core'
import { type SqlBool, sql } from 'kysely'
import type { Hex } from 'viem'
import type { ListedRecord, NewQuote, QuoteRecord, QuoteRecordPage } from '../../ports/store.ts'
import { amountBlob, blobOf, hexOf } from './blobs.ts'
import { decodeCursor, encodeCursor, type PageEnd } from './cursor.ts'
import { bound, startsWith, unindexed } from './dialect.ts'
import { blobsOf, type PreparedQuery, pluck, prepareQuery } from './preparedQuery.ts'
import { parseBody } from './quoteBody.ts'
import { isShown, secondsNumber } from './quoteRows.ts'
import { run, type Script } from './script.ts'

/**
 * One page of published, active quotes. A row is one text, which holds all that is shown of a quote: each further column
 * costs nearly as much as the row.
 */
export function* listQuotes(filters: QuoteFilters, now: bigint): Script<QuoteRecordPage> {
  const { seriesKey, sort = 'created', limit = 50, cursor } = filters
  const seconds = secondsNumber(now)
  const end = cursor === undefined ? {} : decodeCursor(cursor, sort)
  const ofSeries = seriesKey === undefined ? null : yield* findExpiries([seriesKey])
  // Its only one.
  for (const expiry of ofSeries?.values() ?? []) if (expiry <= seconds) return { quotes: [], nextCursor: null }
  const given = { now: seconds, limit: limit + 1, ...wantedOf(filters), ...end }
  const texts = yield* run(pageQuery(sort, given), given)

  let quotes: ListedRecord[]
  if (ofSeries) {
    quotes = texts.slice(0, limit).map((text) => ({ text, parse: () => listed(parseBody(text), ofSeries) }))
  } else {
    // Each may be of another series, which has to be looked at now: the store may be closed later.
    const records = texts.slice(0, limit).map((text) => ({ text, record: parseBody(text) }))
    const expiries = yield* findExpiries(new Set(records.map(({ record }) => record.quote.seriesKey)))
    quotes = records.map(({ text, record }) => ({ text, parse: () => listed(record, expiries) }))
  }
  const last = texts.length > limit ? quotes.at(-1)?.parse() : undefined
  return {
    quotes,
    nextCursor: last ? encodeCursor(sort, { key: orders[sort].keyOf(last), hash: blobOf(last.hash) }) : null,
  }
}

type QuoteSort = NonNullable<QuoteFilters['sort']>

const orders = {
  rate: { column: 'apr', direction: 'asc', keyOf: ({ apr }: QuoteRecord) => apr },
  created: { column: 'created_at', direction: 'desc', keyOf: ({ createdAt }: QuoteRecord) => createdAt },
  deadline: { column: 'deadline', direction: 'asc', keyOf: ({ quote }: QuoteRecord) => secondsNumber(quote.deadline) },
} as const

type Wanted = Partial<Record<keyof typeof conditions, Buffer>>
/** What a page is asked with: the present, the most rows, what is filtered by, and where the page before ended. */
type PageValues = Wanted & Partial<PageEnd> & { now: number; limit: number }

/** A blob for each filter that is given. */
function wantedOf({ maker, taker, poolId, seriesKey, minNotional, maxNotional }: QuoteFilters): Wanted {
  return {
    ...(maker !== undefined && { maker: blobOf(maker) }),
    ...(taker !== undefined && { taker: blobOf(taker) }),
    ...(poolId !== undefined && { pool: blobOf(poolId) }),
    ...(seriesKey !== undefined && { series: blobOf(seriesKey) }),
    // SQLite's indexes hold the start of a key only; that of a series says more than that of its pool.
    ...(seriesKey !== undefined
      ? { seriesStart: blobOf(seriesKey).subarray(0, 8) }
      : poolId !== undefined && { poolStart: blobOf(poolId).subarray(0, 8) }),
    ...(minNotional !== undefined && { minNotional: amountBlob(minNotional) }),
    ...(maxNotional !== undefined && { maxNotional: amountBlob(maxNotional) }),
  }
}

const conditions = {
  maker: (value: unknown) => sql<SqlBool>`maker = ${bound(value)}`,
  taker: (value: unknown) => sql<SqlBool>`taker = ${bound(value)}`,
  pool: (value: unknown) => sql<SqlBool>`pool_id = ${bound(value)}`,
  series: (value: unknown) => sql<SqlBool>`series_key = ${bound(value)}`,
  seriesStart: (value: unknown) => startsWith('series_key', value),
  poolStart: (value: unknown) => startsWith('pool_id', value),
  minNotional: (value: unknown) => sql<SqlBool>`notional >= ${bound(value)}`,
  maxNotional: (value: unknown) => sql<SqlBool>`notional <= ${bound(value)}`,
}

/** One query for each way to sort and to filter, of which there are some hundred. */
const pageQueries = new Map<string, PreparedQuery<PageValues, string>>()

function pageQuery(sort: QuoteSort, values: PageValues): PreparedQuery<PageValues, string> {
  const name = [sort, ...Object.keys(values)].join(' ')
  const query = pageQueries.get(name) ?? pluck(preparePage(sort, values))
  pageQueries.set(name, query)
  return query
}

function preparePage(sort: QuoteSort, values: PageValues) {
  const { column, direction } = orders[sort]
  const rowid = sql`quotes.rowid`
  return prepareQuery((on, given: PageValues) => {
    let query = on
      .selectFrom('quotes')
      .select('body')
      .where(isShown)
      .where(sql<SqlBool>`${sort === 'deadline' ? sql.ref('deadline') : unindexed('deadline')} >= ${bound(given.now)}`)
      .orderBy(column, direction)
      .orderBy(rowid, direction)
      .limit(bound(given.limit))
    for (const [name, condition] of Object.entries(conditions)) {
      const filter = name as keyof typeof conditions
      if (filter in values) query = query.where(condition(given[filter]))
    }
    if (!('seriesStart' in values)) query = query.where(seriesGoesOn(given))
    return 'hash' in values ? query.where(behind(sort, given)) : query
  })
}

const seriesGoesOn = ({ now }: PageValues) => sql<SqlBool>`
  not exists (select expiry from series where series.series_key = quotes.series_key and expiry <= ${bound(now)})`

/** Ties go by the age of their rows. If the cursor's own is gone, they come again: that is better than none of them. */
function behind(sort: QuoteSort, { key, hash }: PageValues) {
  const { column, direction } = orders[sort]
  const [sign, first] = direction === 'asc' ? ['>', 0] : ['<', Number.MAX_SAFE_INTEGER]
  const row = sql`coalesce((select last.rowid from quotes as last where last.hash = ${bound(hash)}), ${sql.lit(first)})`
  return sql<SqlBool>`(${sql.ref(column)}, quotes.rowid) ${sql.raw(sign)} (${bound(key)}, ${row})`
}

const selectExpiries = prepareQuery((on, { keys }: { keys: readonly Buffer[] }) =>
  on.selectFrom('series').select(['series_key', 'expiry']).where('series_key', 'in', blobsOf(keys)),
)

/** When series end, by their keys, those that are known. */
type Expiries = ReadonlyMap<Hex, number>

function* findExpiries(keys: Iterable<Hex>): Script<Expiries> {
  const rows = yield* run(selectExpiries, { keys: Array.from(keys, blobOf) })
  return new Map(rows.map(({ series_key, expiry }) => [hexOf(series_key), expiry]))
}

function listed(record: NewQuote, expiries: Expiries): QuoteRecord {
  const seriesExpiry = expiries.get(record.quote.seriesKey)
  return { ...record, status: 'active', listed: true, ...(seriesExpiry !== undefined && { seriesExpiry }) }
}
