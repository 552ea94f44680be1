import type { QuoteFilters } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { ListedRecord, NewQuote, QuoteRecord, QuoteRecordPage } from '../../../ports/store.ts'
import { amountBlob, blobOf, hexOf } from '../sql/blobs.ts'
import { decodeCursor, encodeCursor, type PageEnd } from '../sql/cursor.ts'
import { blobsOf, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'
import {
  maxRowsExamined,
  narrowings,
  orders,
  type PageValues,
  type QuoteSort,
  type Scan,
  scans,
  type Wanted,
  type Within,
} from './quotePageQueries.ts'
import { parseBody, secondsNumber } from './quoteRows.ts'

/**
 * A page of published, active quotes. Each row is stored JSON text, because every additional column costs nearly as
 * much as the row itself.
 *
 * A filter may match only a few of many quotes. If the given taker, maker, series or pool has few quotes, all of them
 * are read. Otherwise, the next {@link maxRowsExamined} quotes in list order are examined, and the page may be shorter
 * than `limit` even though more pages follow.
 */
export function* listQuotes(
  filters: QuoteFilters,
  now: bigint,
  without: readonly Address[] = [],
): Script<QuoteRecordPage> {
  const { seriesKey, sort = 'created', limit = 50, cursor } = filters
  const seconds = secondsNumber(now)
  const end = cursor === undefined ? orders[sort].start(seconds) : decodeCursor(cursor, sort)
  const ofSeries = seriesKey === undefined ? null : yield* findExpiries([seriesKey])
  // Return an empty page if the list's only series has expired.
  for (const expiry of ofSeries?.values() ?? []) if (expiry <= seconds) return { quotes: [], nextCursor: null }
  const { texts, stop } = yield* readPage(sort, {
    ...wantedOf(filters),
    ...{ now: seconds, limit: limit + 1, leftOut: without.map(blobOf) },
    ...end,
  })

  let quotes: ListedRecord[]
  if (ofSeries) {
    quotes = texts.slice(0, limit).map((text) => ({ text, parse: () => listed(parseBody(text), ofSeries) }))
  } else {
    // Read the expiries now, because `parse` may be called after the store is closed.
    const records = texts.slice(0, limit).map((text) => ({ text, record: parseBody(text) }))
    const expiries = yield* findExpiries(new Set(records.map(({ record }) => record.quote.seriesKey)))
    quotes = records.map(({ text, record }) => ({ text, parse: () => listed(record, expiries) }))
  }
  const last = texts.length > limit ? quotes.at(-1)?.parse() : undefined
  const next = last ? { key: orders[sort].keyOf(last), hash: blobOf(last.hash) } : stop
  return { quotes, nextCursor: next ? encodeCursor(sort, next) : null }
}

function wantedOf({ maker, taker, poolId, seriesKey, minNotional, maxNotional }: QuoteFilters): Wanted {
  return {
    maker: maker === undefined ? null : blobOf(maker),
    taker: taker === undefined ? null : blobOf(taker),
    pool: poolId === undefined ? null : blobOf(poolId),
    series: seriesKey === undefined ? null : blobOf(seriesKey),
    minNotional: minNotional === undefined ? null : amountBlob(minNotional),
    maxNotional: maxNotional === undefined ? null : amountBlob(maxNotional),
  }
}

/** The texts of a page, up to the limit. `stop` is the last row examined, if more rows may follow. */
function* readPage(sort: QuoteSort, given: PageValues): Script<{ texts: string[]; stop?: PageEnd }> {
  const { scan, within } = scanOf(sort, given)
  const from = { ...given, ...withinOf(given, within) }
  // A maker or a taker usually has few quotes, so a scan in list order would first examine many other quotes.
  const ofAccount = yield* readNarrowed(sort, given, ['taker', 'maker'])
  if (ofAccount) return { texts: ofAccount }
  // The scan ends at the last quote of the page, so its cost does not depend on the number of stored quotes.
  const texts = yield* run(scan.page, { ...from, ...orders[sort].end })
  if (texts.length === given.limit) return { texts }
  const ofMarket = yield* readNarrowed(
    sort,
    given,
    (['series', 'pool'] as const).filter((by) => by !== within),
  )
  if (ofMarket) return { texts: ofMarket }
  // Read the stop before the page, so that the page includes all rows up to it.
  const [stop] = yield* run(scan.stop, from)
  if (!stop) return { texts }
  return { texts: yield* run(scan.page, { ...from, stopKey: stop.key, stopRow: stop.row }), stop }
}

/**
 * Reads a page through the first column whose value occurs in only a few quotes. Returns null if there is no such
 * column.
 */
function* readNarrowed(sort: QuoteSort, given: PageValues, columns: readonly Column[]): Script<string[] | null> {
  for (const by of columns) {
    const value = given[by]
    if (value === null || (by === 'taker' && isAnyone(value))) continue
    const narrowed = withinOf(given, by)
    const [found] = yield* run(narrowings[by].count, narrowed)
    if (found && found.count < maxRowsExamined) {
      return yield* run(narrowings[by].pages[sort], { ...given, ...narrowed })
    }
  }
  return null
}

type Column = keyof typeof narrowings

/** Chooses the index for the list's order, limited to one series or pool if possible. */
function scanOf(sort: QuoteSort, { series, pool }: Wanted): { scan: Scan; within: Column | null } {
  if (sort === 'rate' && series !== null) return { scan: scans.series.rate, within: 'series' }
  if (sort === 'rate' && pool !== null) return { scan: scans.pool.rate, within: 'pool' }
  return { scan: scans.all[sort], within: null }
}

function withinOf(wanted: Wanted, by: Column | null): Within {
  const value = (by === null ? null : wanted[by]) ?? Buffer.alloc(0)
  return { value, valueStart: value.subarray(0, 8) }
}

const isAnyone = (taker: Buffer) => taker.every((byte) => byte === 0)

const selectExpiries = prepareQuery((on, { keys }: { keys: readonly Buffer[] }) =>
  on.selectFrom('series').select(['series_key', 'expiry']).where('series_key', 'in', blobsOf(keys)),
)

/** Expiries of the known series, by series key. */
type Expiries = ReadonlyMap<Hex, number>

function* findExpiries(keys: Iterable<Hex>): Script<Expiries> {
  const rows = yield* run(selectExpiries, { keys: Array.from(keys, blobOf) })
  return new Map(rows.map(({ series_key, expiry }) => [hexOf(series_key), expiry]))
}

function listed(record: NewQuote, expiries: Expiries): QuoteRecord {
  const seriesExpiry = expiries.get(record.quote.seriesKey)
  return { ...record, status: 'active', listed: true, ...(seriesExpiry !== undefined && { seriesExpiry }) }
}
