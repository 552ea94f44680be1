import type { QuoteFilters } from '@firmquote/core'
import type { Hex } from 'viem'
import type { ListedRecord, QuoteRecord, QuoteRecordPage } from '../../ports/store.ts'
import { amountBlob, blobOf } from './blobs.ts'
import { decodeCursor, encodeCursor, type QuoteSort } from './cursor.ts'
import { type PreparedQuery, prepareQuery, type RunQuery } from './preparedQuery.ts'
import { parseBody } from './quoteBody.ts'
import { secondsNumber } from './quoteRows.ts'

/**
 * One page of published, active quotes. A row is one text, which holds all that is shown of a quote: each further column
 * costs nearly as much as the row.
 */
export function listQuotes(run: RunQuery, filters: QuoteFilters, now: bigint): QuoteRecordPage {
  const { seriesKey, sort = 'created', limit = 50, cursor } = filters
  const conditions = conditionsOf(filters, sort, secondsNumber(now))
  if (cursor !== undefined) conditions.push(behind(cursor, sort))
  // One series is looked at once, not once for each of its quotes.
  const expiryOf = keepAnswers((key: Hex) => run(selectExpiry, [blobOf(key)])[0]?.expiry)
  if (seriesKey === undefined) conditions.push([seriesGoesOn, secondsNumber(now)])
  else if ((expiryOf(seriesKey) ?? Number.POSITIVE_INFINITY) <= secondsNumber(now))
    return { quotes: [], nextCursor: null }

  const { column, direction, keyOf } = orders[sort]
  const query = pageQuery(
    `select body from quotes
     where listed = 1 and status = 'active' and ${conditions.map(([text]) => text).join(' and ')}
     order by ${column} ${direction}, quotes.rowid ${direction} limit +?`,
  )
  const texts = run(query, [...conditions.flatMap(([, ...values]) => values), limit + 1])
  const parse = (text: string): QuoteRecord => {
    const record = parseBody(text)
    const seriesExpiry = expiryOf(record.quote.seriesKey)
    return { ...record, status: 'active', listed: true, ...(seriesExpiry !== undefined && { seriesExpiry }) }
  }
  const quotes = texts.slice(0, limit).map((text): ListedRecord => {
    if (seriesKey !== undefined) return { text, parse: () => parse(text) }
    // Each may be of another series, which has to be looked at now: the store may be closed later.
    const kept = parse(text)
    return { text, parse: () => kept }
  })
  const last = texts.length > limit ? quotes.at(-1)?.parse() : undefined
  return {
    quotes,
    nextCursor: last ? encodeCursor({ sort, key: keyOf(last), hash: blobOf(last.hash) }) : null,
  }
}

/**
 * A value is written `+?`: where SQLite sees through to what is bound, it plans the query again at every run, which takes
 * several times as long as finding the first row.
 */
type Condition = [text: string, ...values: unknown[]]

const orders = {
  rate: { column: 'apr', direction: 'asc', keyOf: ({ apr }: QuoteRecord) => apr },
  created: { column: 'created_at', direction: 'desc', keyOf: ({ createdAt }: QuoteRecord) => createdAt },
  deadline: { column: 'deadline', direction: 'asc', keyOf: ({ quote }: QuoteRecord) => secondsNumber(quote.deadline) },
} as const

const seriesGoesOn =
  'not exists (select expiry from series where series.series_key = quotes.series_key and expiry <= +?)'
const selectExpiry = prepareQuery((on) =>
  on.selectFrom('series').select('expiry').where('series_key', '=', Buffer.alloc(0)),
)

function conditionsOf(filters: QuoteFilters, sort: QuoteSort, now: number): Condition[] {
  const { maker, taker, poolId, seriesKey, minNotional, maxNotional } = filters
  // The plus keeps SQLite from using the deadline's index for a list in another order, which it would then sort whole.
  const conditions: Condition[] = [[sort === 'deadline' ? 'deadline >= +?' : '+deadline >= +?', now]]
  if (maker !== undefined) conditions.push(['maker = +?', blobOf(maker)])
  if (taker !== undefined) conditions.push(['taker = +?', blobOf(taker)])
  if (poolId !== undefined) conditions.push(['pool_id = +?', blobOf(poolId)])
  if (seriesKey !== undefined) conditions.push(['series_key = +?', blobOf(seriesKey)])
  // Indexes hold the start of a key only; that of a series says more than that of its pool.
  if (seriesKey !== undefined) conditions.push(['substr(series_key, 1, 8) = +?', blobOf(seriesKey).subarray(0, 8)])
  else if (poolId !== undefined) conditions.push(['substr(pool_id, 1, 8) = +?', blobOf(poolId).subarray(0, 8)])
  if (minNotional !== undefined) conditions.push(['notional >= +?', amountBlob(minNotional)])
  if (maxNotional !== undefined) conditions.push(['notional <= +?', amountBlob(maxNotional)])
  return conditions
}

/** Ties go by the age of their rows. If the cursor's own is gone, they come again: that is better than none of them. */
function behind(cursor: string, sort: QuoteSort): Condition {
  const { key, hash } = decodeCursor(cursor, sort)
  const { column, direction } = orders[sort]
  const [sign, first] = direction === 'asc' ? ['>', 0] : ['<', Number.MAX_SAFE_INTEGER]
  const row = `coalesce((select last.rowid from quotes as last where last.hash = +?), ${first})`
  return [`(${column}, quotes.rowid) ${sign} (+?, ${row})`, key, hash]
}

/** The queries by their text, of which there are as many as ways to filter and to sort: no value is ever a part of it. */
const pageQueries = new Map<string, PreparedQuery<string>>()

function pageQuery(sql: string): PreparedQuery<string> {
  const query = pageQueries.get(sql) ?? { sql, pluck: true }
  pageQueries.set(sql, query)
  return query
}

function keepAnswers<Key, Answer>(ask: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new Map<Key, { answer: Answer }>()
  return (key) => {
    const kept = answers.get(key) ?? { answer: ask(key) }
    answers.set(key, kept)
    return kept.answer
  }
}
