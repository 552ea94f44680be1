import type { Clock } from '@firmquote/core'
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

/** What a publication has come to in its group. `known` and `ended` are for a transaction of its own to find out more. */
export type GroupPublication =
  | { status: 'created'; seriesExpiry: number | null }
  | { status: 'known' | 'ended' }
  | { status: 'full'; open: number }

/** Writes the quotes of many auctions and makers at once. */
export type QuoteWriter = {
  /** Null when an event has ended the quote already: then nothing was written. */
  accept(acceptance: Acceptance): Promise<AcceptOutcome | null>
  publish(quote: NewQuote, limit: PublishedLimit | undefined): Promise<GroupPublication>
  /** Resolves when all that was given is answered. */
  drain(): Promise<void>
}

/**
 * Creates a writer. Auctions and publications travel apart: each kind of group takes its locks in one order.
 *
 * @param clockSource whose clock decides whether an auction's time is over: the database's, or for tests each caller's.
 */
export function createQuoteWriter(
  pool: Pick<PostgresPool, 'batch'>,
  clockSource: 'database' | 'caller',
  clock: Clock,
): QuoteWriter {
  const acceptances = createGroupWriter<AcceptanceRow, AcceptOutcome | null>(clock, async (group) => {
    const answers = await pool.batch(acceptStatements(group, clockSource))
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
  if (row === undefined) throw new TypeError('The database has answered fewer rows than it was given.')
  return row
}
