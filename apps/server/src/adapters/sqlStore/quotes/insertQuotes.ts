import { type Insertable, type SqlBool, sql } from 'kysely'
import { StorageUnavailableError } from '../../../ports/errors.ts'
import type { NewQuote, Publication, QuoteRecord } from '../../../ports/store.ts'
import { amountBlob, blobOf } from '../sql/blobs.ts'
import { lockEndsShared, lockSync } from '../sql/locks.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { run, type Script } from '../sql/script.ts'
import { encodeBody } from './quoteBody.ts'
import { refreshQuotes } from './quoteEnds.ts'
import { findQuote, secondsNumber } from './quoteRows.ts'

/** What a published quote has become: the record where it is not simply the quote that was given, active and listed. */
export type InsertedQuote = { created: boolean; record?: QuoteRecord; seriesExpiry?: number }

/** Stores a published quote. One that is there already stays as it is, also when only an auction has seen it. */
export function* insertListedQuote(quote: NewQuote): Script<InsertedQuote> {
  const row = quoteRow(quote, true)
  yield* run(lockEndsShared)
  const [inserted] = yield* run(insertListed, row)
  if (inserted?.ended) yield* endQuote(row.hash, quote.createdAt)
  if (inserted && !inserted.ended) {
    const { seriesExpiry } = inserted
    return { created: true, ...(seriesExpiry === null ? {} : { seriesExpiry }) }
  }
  const record = yield* findQuote(quote.hash)
  if (!record) throw new StorageUnavailableError('The quote that was stored is not there.')
  return { created: inserted !== undefined, record }
}

/** What a publication has come to, with its record. */
export function publicationOf(quote: NewQuote, { created, record, ...known }: InsertedQuote): Publication {
  return { created, record: record ?? { ...quote, ...known, status: 'active', listed: true } }
}

/** Stores a quote that nobody has published; one that is there already stays as it is. Its caller has {@link lockEndsShared}. */
export function* insertUnlistedQuote(quote: NewQuote): Script<void> {
  const row = quoteRow(quote, false)
  const [inserted] = yield* run(insertUnlisted, row)
  if (inserted?.ended) yield* endQuote(row.hash, quote.createdAt)
}

/** Ends a quote as soon as it is there: the event that does may have been synced while it was judged. */
function* endQuote(hash: Buffer, at: number): Script<void> {
  yield* run(lockSync)
  yield* refreshQuotes({ hashes: [hash], at })
}

type QuoteRow = Insertable<Tables['quotes']>

export function quoteRow(record: NewQuote, listed: boolean): QuoteRow {
  const { hash, quote, apr, createdAt } = record
  return {
    hash: blobOf(hash),
    maker: blobOf(quote.maker),
    taker: blobOf(quote.taker),
    pool_id: blobOf(quote.poolId),
    series_key: blobOf(quote.seriesKey),
    notional: amountBlob(quote.notional),
    nonce: amountBlob(quote.nonce),
    deadline: secondsNumber(quote.deadline),
    apr,
    status: 'active',
    listed: listed ? 1 : 0,
    created_at: createdAt,
    body: encodeBody(record),
    seen_at: null,
  }
}

const quoteColumns = [
  ...(['hash', 'maker', 'taker', 'pool_id', 'series_key', 'notional', 'nonce', 'deadline', 'apr', 'status'] as const),
  ...(['listed', 'created_at', 'body', 'seen_at'] as const),
]

/** Whether an event that ends the quote is there already: a look at two indexes, and nearly always the only one. */
const ended = sql<SqlBool>`
  exists (select 1 from quote_ends where quote_ends.hash = quotes.hash)
  or exists (select 1 from nonce_raises where nonce_raises.maker = quotes.maker and nonce_raises.nonce > quotes.nonce)
`.as('ended')

const insertListed = prepareQuery((on, given: QuoteRow) =>
  on
    .insertInto('quotes')
    .values(pick(given, quoteColumns))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning([
      ended,
      sql<number | null>`(select expiry from series where series.series_key = quotes.series_key)`.as('seriesExpiry'),
    ]),
)

const insertUnlisted = prepareQuery((on, given: QuoteRow) =>
  on
    .insertInto('quotes')
    .values(pick(given, quoteColumns))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning(ended),
)
