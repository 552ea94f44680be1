import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Address } from 'viem'
import type { NewQuote, OfferFilters } from '../../../ports/store.ts'
import { amountBlob, blobOf, hexOf } from '../sql/blobs.ts'
import { blobLiteral, bound, hexDigits, indexedBy, unindexed } from '../sql/dialect.ts'
import { makersOf, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'
import { findBodies, isShown, parseBody, secondsNumber } from './quoteRows.ts'

/**
 * A series' best offers in a range of sizes. The index orders the quotes in each power-of-two size class by price, so
 * quotes of other sizes are neither read nor sorted. It also has their makers, so that quotes of skipped makers are not
 * read either.
 */
export function* listOffers(
  { seriesKey, least, most, perMaker, limit, without = [], alsoWithout = [] }: OfferFilters,
  now: bigint,
): Script<NewQuote[]> {
  const taken = new Map<string, number>()
  const found: Candidate[] = []
  const series = blobOf(seriesKey)
  const range = { seriesStart: series.subarray(0, 8), series, now: secondsNumber(now), without, alsoWithout }
  const sizes = { least: amountBlob(least).subarray(16), most: amountBlob(most).subarray(16) }
  const sources = classesOf(least, most).map((size) => rowsOf({ ...range, ...sizes, size, limit }))
  while (found.length < limit) {
    const candidate = yield* nextByPrice(sources)
    if (!candidate) break
    const maker = hexOf(candidate.maker)
    const count = taken.get(maker) ?? 0
    if (count >= perMaker) continue
    taken.set(maker, count + 1)
    found.push(candidate)
  }
  return (yield* findBodies(found.map(({ hash }) => hash))).map(parseBody)
}

type Candidate = { rowid: number; hash: Buffer; price: number; amount: Buffer; created: number; maker: Buffer }
/** The row after which a page starts. */
type RowPosition = Omit<Candidate, 'rowid' | 'hash'> & { row: number }
type Page = {
  seriesStart: Buffer
  series: Buffer
  size: number
  least: Buffer
  most: Buffer
  now: number
  without: readonly Address[]
  alsoWithout: readonly Address[]
  limit: number
}

/** Each page has twice as many rows as the one before, up to this number. */
const mostPageRows = 3_200

/** The rows in one size class, ordered by price (best first) and read on demand. */
type Source = { page: Page; after: RowPosition; rows: Candidate[]; next: number; ended: boolean }

function rowsOf(page: Page): Source {
  const after: RowPosition = { price: -1, amount: Buffer.alloc(0), created: 0, maker: Buffer.alloc(0), row: 0 }
  return { page, after, rows: [], next: 0, ended: false }
}

/** Returns a source's next row without consuming it. */
function* headOf(source: Source): Script<Candidate | undefined> {
  if (source.next < source.rows.length || source.ended) return source.rows[source.next]
  const rows = yield* run(selectOffers, { ...source.page, ...source.after })
  const last = rows.at(-1)
  if (last) source.after = { ...last, row: last.rowid }
  source.ended = rows.length < source.page.limit
  // The first page, which has the overall limit, is usually enough. Others follow if many rows are skipped.
  source.page = { ...source.page, limit: Math.min(2 * source.page.limit, mostPageRows) }
  source.rows = rows
  source.next = 0
  return rows[0]
}

/** Consumes and returns the row with the best price. Among equal prices, the smaller size class comes first. */
function* nextByPrice(sources: readonly Source[]): Script<Candidate | undefined> {
  let best: { source: Source; head: Candidate } | undefined
  for (const source of sources) {
    const head = yield* headOf(source)
    if (head && (!best || head.price < best.head.price)) best = { source, head }
  }
  if (best) best.source.next += 1
  return best?.head
}

/** Returns the size classes in a range, as bit lengths. */
function classesOf(least: bigint, most: bigint): number[] {
  const [first, last] = [bitsOf(least), bitsOf(most)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

function bitsOf(amount: bigint): number {
  return amount.toString(2).length
}

/** Expressions that must match the index definition. */
const digits = sql<string>`ltrim(${hexDigits('notional')}, '0')`
const sizeClass = sql<number>`(4 * length(${digits}) - case
  when ${digits} >= '8' then 0
  when ${digits} >= '4' then 1
  when ${digits} >= '2' then 2
  else 3
end)`
const anyone = sql<SqlBool>`taker = ${blobLiteral(Buffer.alloc(20))}`

/** SQLite's index for {@link listOffers}. Amounts are below 2^127, so their last 16 bytes are sufficient. */
export const offersIndex = offersIndexOn('price, substr(notional, 17), created_at, maker')

/** An index of offers by series and size class, as of some migration. */
export function offersIndexOn(columns: string): RawBuilder<unknown> {
  return sql`create index quotes_offers on quotes (substr(series_key, 1, 8), ${sizeClass}, ${sql.raw(columns)})
    where listed = 1 and status = 'active' and ${anyone}`
}

/** A page of one size class. Forces the index, because SQLite's statistics favor the one on the series' prices. */
export const selectOffers = prepareQuery((on, given: Page & RowPosition) => ({
  compile: () =>
    sql<Candidate>`select rowid, hash, price, substr(notional, 17) as amount, created_at as created, maker from quotes ${indexedBy('quotes_offers')}
      where ${isShown} and ${anyone}
      and substr(series_key, 1, 8) = ${bound(given.seriesStart)} and ${sizeClass} = ${bound(given.size)}
      and (price, substr(notional, 17), created_at, maker, rowid) >
        (${bound(given.price)}, ${bound(given.amount)}, ${bound(given.created)}, ${bound(given.maker)}, ${bound(given.row)})
      and substr(notional, 17) >= ${bound(given.least)} and substr(notional, 17) <= ${bound(given.most)}
      and series_key = ${bound(given.series)} and ${unindexed('deadline')} >= ${bound(given.now)}
      and maker not in ${makersOf(given.without)} and maker not in ${makersOf(given.alsoWithout)}
      order by price, substr(notional, 17), created_at, maker, rowid limit ${bound(given.limit)}`.compile(on),
}))
