import type { Clock } from '@firmquote/core/utils'
import type { AcceptOutcome, NewQuote, PublishedLimit } from '../../ports/store.ts'
import type { Acceptance } from '../sqlStore/auctions/acceptedQuoteRows.ts'
import {
  type AcceptanceRow,
  type AcceptedRow,
  acceptanceRow,
  acceptOutcome,
  acceptStatements,
  type PublicationRow,
  type PublishedRow,
  publicationRow,
  publishStatements,
} from './groupStatements.ts'
import { createGroupWriter } from './groupWriter.ts'
import type { PostgresPool } from './postgresPool.ts'

/**
 * A publication's outcome within its group. For `known` and `ended`, the details must be looked up in another
 * transaction.
 */
export type GroupPublication =
  | { status: 'created'; seriesExpiry: number | null }
  | { status: 'known' | 'ended' }
  | { status: 'full'; open: number }

/** Writes auction quotes and publications in groups. */
export type QuoteWriter = {
  /** Resolves to null, without writing anything, if an event has already ended the quote. */
  accept(acceptance: Acceptance): Promise<AcceptOutcome | null>
  publish(quote: NewQuote, limit: PublishedLimit | undefined): Promise<GroupPublication>
  /** Resolves once all writes have completed. */
  drain(): Promise<void>
}

/**
 * Creates a writer. Auction quotes and publications are grouped separately, so that each kind of group acquires locks
 * in a fixed order.
 */
export function createQuoteWriter(pool: Pick<PostgresPool, 'batch'>, clock: Clock): QuoteWriter {
  const acceptances = createGroupWriter<AcceptanceRow, AcceptOutcome | null>(clock, async (group) => {
    const answers = await pool.batch(acceptStatements(group))
    const rows = answers.at(-1) as AcceptedRow[]
    return group.map((given, index) => acceptOutcome(given, rowAt(rows, index)))
  })
  const publications = createGroupWriter<PublicationRow, GroupPublication>(clock, async (group) => {
    const answers = await pool.batch(publishStatements(group))
    const rows = answers.at(-1) as PublishedRow[]
    return group.map((_, index) => groupPublication(rowAt(rows, index)))
  })
  return {
    accept: async (acceptance) => acceptances.write(acceptanceRow(acceptance)),
    publish: async (quote, limit) => publications.write(publicationRow(quote, limit)),
    async drain() {
      await Promise.all([acceptances.drain(), publications.drain()])
    },
  }
}

function groupPublication(row: PublishedRow): GroupPublication {
  if (row.is_created) return { status: 'created', seriesExpiry: row.series_expiry }
  if (row.is_known) return { status: 'known' }
  if (row.is_ended) return { status: 'ended' }
  return { status: 'full', open: row.open }
}

function rowAt<Row>(rows: readonly Row[], index: number): Row {
  const row = rows[index]
  if (row === undefined) throw new TypeError('The database returned fewer rows than requested.')
  return row
}
