import type { QuoteStatus } from '@firmquote/core'
import { type SqlBool, sql } from 'kysely'
import type { PublishedQuoteFilters, QuoteRecord } from '../../../ports/store.ts'
import { blobOf } from '../sql/blobs.ts'
import { decodeCursor, encodeCursor, type PageEnd } from '../sql/cursor.ts'
import { prepareQuery } from '../sql/preparedQuery.ts'
import { forEach, run, type Script } from '../sql/script.ts'
import { quoteRecord, secondsNumber, seriesExpiry, shownColumns } from './quoteRows.ts'

/** The stored statuses to read for each requested status. A quote whose stored status is active may have expired. */
const storedStatuses = {
  filled: ['filled'],
  cancelled: ['cancelled'],
  nonce_raised: ['nonce_raised'],
  expired: ['expired', 'active'],
  all: ['filled', 'cancelled', 'nonce_raised', 'expired', 'active'],
} as const satisfies Record<PublishedQuoteFilters['status'], readonly QuoteStatus[]>

/** A page of a maker's published quotes, latest deadline first. The same index is scanned once per stored status. */
export function* listPublishedQuotes(
  { maker, status, limit = 50, cursor }: PublishedQuoteFilters,
  now: bigint,
): Script<{ quotes: QuoteRecord[]; nextCursor: string | null }> {
  const end: PageEnd = cursor === undefined ? firstEnd : decodeCursor(cursor, 'latest')
  const given = { maker: blobOf(maker), now: secondsNumber(now), limit: limit + 1, ...end }
  const rows = yield* forEach(storedStatuses[status], (stored) => {
    const query = status === 'expired' && stored === 'active' ? selectOver : selectPage
    return run(query, { ...given, status: stored })
  })
  rows.sort((a, b) => b.deadline - a.deadline || b.row - a.row)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    quotes: page.map(quoteRecord),
    nextCursor: last ? encodeCursor('latest', { key: last.deadline, hash: last.hash }) : null,
  }
}

const firstEnd: PageEnd = { key: Number.MAX_SAFE_INTEGER, hash: Buffer.alloc(0) }

type Given = PageEnd & { maker: Buffer; status: QuoteStatus; now: number; limit: number }

const selectPage = preparePage(false)
const selectOver = preparePage(true)

function preparePage(onlyOver: boolean) {
  return prepareQuery((on, given: Given) => {
    const page = on
      .selectFrom('quotes')
      .select([...shownColumns, 'deadline', sql<number>`quotes.rowid`.as('row'), seriesExpiry])
      .select(sql<number>`0`.as('is_secret'))
      .where('maker', '=', given.maker)
      .where('listed', '=', 1)
      .where('status', '=', given.status)
      // Rows with the same sort key are ordered by age. If the cursor's row has been pruned, other rows with its sort
      // key are repeated.
      .where(
        sql<SqlBool>`(deadline, quotes.rowid) < (${given.key}, coalesce(
          (select last.rowid from quotes as last where last.hash = ${given.hash}), ${sql.lit(Number.MAX_SAFE_INTEGER)}))`,
      )
      .orderBy('deadline', 'desc')
      .orderBy(sql`quotes.rowid`, 'desc')
      .limit(given.limit)
    return onlyOver ? page.where(isOver(given)) : page
  })
}

function isOver({ now }: Pick<Given, 'now'>) {
  return sql<SqlBool>`(deadline < ${now} or exists (
    select 1 from series where series.series_key = quotes.series_key and expiry <= ${now}))`
}
