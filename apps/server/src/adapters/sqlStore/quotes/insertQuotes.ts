import { type Insertable, type SqlBool, sql } from 'kysely'
import { priceOf } from '../../../domain/rateOrder.ts'
import { StorageUnavailableError } from '../../../ports/errors.ts'
import type { NewQuote, Publication, PublishedLimit, QuoteRecord } from '../../../ports/store.ts'
import { amountBlob, blobOf } from '../sql/blobs.ts'
import { perDialect } from '../sql/dialect.ts'
import { lockEndsShared, lockSync } from '../sql/locks.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { run, type Script } from '../sql/script.ts'
import { refreshQuotes } from './quoteEnds.ts'
import { countQuotes, encodeBody, findQuote, secondsNumber } from './quoteRows.ts'

/** The result of a publication. `record` is omitted if it is just the given quote, active and listed. */
export type InsertedQuote =
  | { created: boolean; record?: QuoteRecord; seriesExpiry?: number }
  | Extract<Publication, { record: null }>

/**
 * Publishes a quote. An existing quote is left unchanged, even if it was only submitted to an auction.
 *
 * @param limit exact only if there is a single writer, as in SQLite.
 */
export function* insertListedQuote(quote: NewQuote, limit?: PublishedLimit): Script<InsertedQuote> {
  const open = limit ? yield* countQuotes(quote.quote.maker, limit.now) : 0
  if (limit && open >= limit.most) {
    const record = yield* findQuote(quote.hash)
    return record ? { created: false, record } : { created: false, record: null, open }
  }
  const row = quoteRow(quote, true)
  yield* run(lockEndsShared)
  const [inserted] = yield* run(insertListed, row)
  if (inserted?.ended) yield* endQuote(row.hash, quote.createdAt)
  if (inserted && !inserted.ended) {
    const { seriesExpiry } = inserted
    return { created: true, ...(seriesExpiry === null ? {} : { seriesExpiry }) }
  }
  const record = yield* findQuote(quote.hash)
  if (!record) throw new StorageUnavailableError('The stored quote was not found.')
  return { created: inserted !== undefined, record }
}

/** A publication with its record. */
export function publicationOf(quote: NewQuote, inserted: InsertedQuote): Publication {
  if (inserted.record === null) return inserted
  const { created, record, ...known } = inserted
  return { created, record: record ?? { ...quote, ...known, status: 'active', listed: true } }
}

/**
 * Stores an unpublished quote. An existing quote stays unchanged, and false is returned. The caller must hold
 * {@link lockEndsShared}.
 */
export function* insertUnlistedQuote(quote: NewQuote): Script<boolean> {
  const row = quoteRow(quote, false)
  const [inserted] = yield* run(insertUnlisted, row)
  if (inserted?.ended) yield* endQuote(row.hash, quote.createdAt)
  return inserted !== undefined
}

/** Ends a quote immediately after its insertion if an event that ends it has already been synced. */
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
    price: priceOf(quote),
    status: 'active',
    listed: listed ? 1 : 0,
    created_at: createdAt,
    body: encodeBody(record),
    seen_at: null,
  }
}

/** The columns that differ among new quotes, with their PostgreSQL types. */
export const givenColumns = {
  ...({ hash: 'bytea', maker: 'bytea', taker: 'bytea', pool_id: 'bytea', series_key: 'bytea' } as const),
  ...({ notional: 'bytea', nonce: 'bytea', deadline: 'bigint', apr: 'double precision' } as const),
  ...({ created_at: 'bigint', body: 'text' } as const),
} satisfies { [Name in keyof QuoteRow]?: string }

const quoteColumns = [
  ...(Object.keys(givenColumns) as (keyof typeof givenColumns)[]),
  ...(['status', 'listed', 'seen_at'] as const),
]

/** Whether an event has already ended the quote. Takes two index lookups. */
const ended = sql<SqlBool>`
  exists (select 1 from quote_ends where quote_ends.hash = quotes.hash)
  or exists (select 1 from nonce_raises where nonce_raises.maker = quotes.maker and nonce_raises.nonce > quotes.nonce)
`.as('ended')

/** PostgreSQL computes the price, also for rows that earlier versions insert. */
const valuesOf = (given: QuoteRow) => ({
  ...pick(given, quoteColumns),
  price: perDialect<number>({ sqlite: sql`${given.price}`, postgres: sql`default` }),
})

const insertListed = prepareQuery((on, given: QuoteRow) =>
  on
    .insertInto('quotes')
    .values(valuesOf(given))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning([
      ended,
      sql<number | null>`(select expiry from series where series.series_key = quotes.series_key)`.as('seriesExpiry'),
    ]),
)

const insertUnlisted = prepareQuery((on, given: QuoteRow) =>
  on
    .insertInto('quotes')
    .values(valuesOf(given))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning(ended),
)
