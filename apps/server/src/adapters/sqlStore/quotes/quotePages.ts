import type { QuoteFilters } from '@firmquote/core'
import type { Address } from 'viem'
import type { ListedRecord, ListFilters, NewQuote, QuoteRecord, QuoteRecordPage } from '../../../ports/store.ts'
import { blobOf } from '../sql/blobs.ts'
import { decodeCursor, encodeCursor, type PageEnd } from '../sql/cursor.ts'
import { run, type Script } from '../sql/script.ts'
import { type Expiries, findExpiries, findNarrowed, wantedOf } from './quoteFilters.ts'
import { type maxRowsExamined, narrowings, orders, type PageValues, type QuoteSort, scans } from './quotePageQueries.ts'
import { parseBody, secondsNumber } from './quoteRows.ts'
import { readByRate } from './ratePages.ts'

/**
 * A page of published, active quotes. Each row is stored JSON text, because every additional column costs nearly as
 * much as the row itself.
 *
 * A filter may match only a few of many quotes. If the given taker, maker, series or pool has few quotes, all of them
 * are read. Otherwise, the next {@link maxRowsExamined} quotes in list order are examined, and the page may be shorter
 * than `limit` even though more pages follow.
 */
export function* listQuotes(
  filters: ListFilters,
  now: bigint,
  without: readonly Address[] = [],
): Script<QuoteRecordPage> {
  const { sort = 'created' } = filters
  const seconds = secondsNumber(now)
  if (sort !== 'rate') return yield* listByColumn(filters, sort, seconds)
  const { texts, expiries, nextCursor } = yield* readByRate(filters, seconds, without)
  return { quotes: texts.map((text) => ({ text, parse: () => listed(parseBody(text), expiries) })), nextCursor }
}

function* listByColumn(filters: QuoteFilters, sort: QuoteSort, seconds: number): Script<QuoteRecordPage> {
  const { seriesKey, limit = 50, cursor } = filters
  const end = cursor === undefined ? orders[sort].start(seconds) : decodeCursor(cursor, sort)
  const ofSeries = seriesKey === undefined ? null : yield* findExpiries([seriesKey])
  // Return an empty page if the list's only series has expired.
  for (const expiry of ofSeries?.values() ?? []) if (expiry <= seconds) return { quotes: [], nextCursor: null }
  const { texts, stop } = yield* readPage(sort, { ...wantedOf(filters), now: seconds, limit: limit + 1, ...end })

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

/** The texts of a page, up to the limit. `stop` is the last row examined, if more rows may follow. */
function* readPage(sort: QuoteSort, given: PageValues): Script<{ texts: string[]; stop?: PageEnd }> {
  const scan = scans[sort]
  // A maker or a taker usually has few quotes, so a scan in list order would first examine many other quotes.
  const ofAccount = yield* findNarrowed(given, ['taker', 'maker'])
  if (ofAccount) return { texts: yield* run(narrowings[ofAccount.by].pages[sort], { ...given, ...ofAccount.within }) }
  // The scan ends at the last quote of the page, so its cost does not depend on the number of stored quotes.
  const texts = yield* run(scan.page, { ...given, ...orders[sort].end })
  if (texts.length === given.limit) return { texts }
  const ofMarket = yield* findNarrowed(given, ['series', 'pool'])
  if (ofMarket) return { texts: yield* run(narrowings[ofMarket.by].pages[sort], { ...given, ...ofMarket.within }) }
  // Read the stop before the page, so that the page includes all rows up to it.
  const [stop] = yield* run(scan.stop, given)
  if (!stop) return { texts }
  return { texts: yield* run(scan.page, { ...given, stopKey: stop.key, stopRow: stop.row }), stop }
}

function listed(record: NewQuote, expiries: Expiries): QuoteRecord {
  const seriesExpiry = expiries.get(record.quote.seriesKey)
  return { ...record, status: 'active', listed: true, ...(seriesExpiry !== undefined && { seriesExpiry }) }
}
