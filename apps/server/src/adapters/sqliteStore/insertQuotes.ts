import { type Insertable, type SqlBool, sql, type Transaction } from 'kysely'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { NewAuctionQuote, NewQuote, QuoteRecord } from '../../ports/store.ts'
import { amountBlob, anyBlob, blobOf, idBlob } from './blobs.ts'
import { prepareQuery, type RunQuery } from './preparedQuery.ts'
import { encodeBody } from './quoteBody.ts'
import { refreshQuotes } from './quoteEnds.ts'
import { findQuote, secondsNumber } from './quoteRows.ts'
import type { Tables } from './schema.ts'

/** What a published quote has become: the record where it is not simply the quote that was given, active and listed. */
export type InsertedQuote = { created: boolean; record?: QuoteRecord; seriesExpiry?: number }

/** Stores a published quote. A quote that only an auction had seen becomes a published one. */
export async function insertListedQuote(
  transaction: Transaction<Tables>,
  run: RunQuery,
  quote: NewQuote,
): Promise<InsertedQuote> {
  const [inserted] = run(insertListed, Object.values(quoteRow(quote, true)))
  // An event that ends it may have been synced while it was judged.
  if (inserted?.ended) await refreshQuotes(transaction, { hashes: [blobOf(quote.hash)] })
  if (inserted && !inserted.ended) {
    const { seriesExpiry } = inserted
    return { created: true, ...(seriesExpiry === null ? {} : { seriesExpiry }) }
  }
  const record = findQuote(run, quote.hash)
  if (!record) throw new StorageUnavailableError('The quote that was stored is not there.')
  return { created: inserted !== undefined, record }
}

/** Stores an auction's quote. */
export async function insertAuctionQuote(
  transaction: Transaction<Tables>,
  run: RunQuery,
  kept: NewAuctionQuote,
): Promise<void> {
  const row = quoteRow(kept, false)
  const [inserted] = run(insertUnlisted, Object.values(row))
  if (inserted?.ended) await refreshQuotes(transaction, { hashes: [row.hash] })
  const { hash, pool_id, series_key, apr } = row
  const observed = [hash, pool_id, series_key, kept.expiry, apr, kept.createdAt]
  run(insertObserved, [idBlob(kept.rfqId), idBlob(kept.publicRfqId), ...observed])
}

/** A row for a quote; its columns stand in the order in which they are inserted. */
function quoteRow(record: NewQuote, listed: boolean): Insertable<Tables['quotes']> {
  const { hash, quote, apr, createdAt } = record
  return {
    hash: blobOf(hash),
    maker: blobOf(quote.maker),
    taker: blobOf(quote.taker),
    pool_id: blobOf(quote.poolId),
    series_key: blobOf(quote.seriesKey),
    notional: amountBlob(quote.notional),
    deadline: secondsNumber(quote.deadline),
    apr,
    status: 'active',
    listed: listed ? 1 : 0,
    created_at: createdAt,
    body: encodeBody(record),
    seen_at: null,
    nonce: amountBlob(quote.nonce),
  }
}

const anyRow: Insertable<Tables['quotes']> = {
  hash: anyBlob,
  maker: anyBlob,
  taker: anyBlob,
  pool_id: anyBlob,
  series_key: anyBlob,
  notional: anyBlob,
  deadline: 0,
  apr: 0,
  status: 'active',
  listed: 0,
  created_at: 0,
  body: '',
  seen_at: null,
  nonce: anyBlob,
}

/** Whether an event that ends the quote is there already: a look at two indexes, and nearly always the only one. */
const ended = sql<SqlBool>`
  exists (select 1 from quote_ends where quote_ends.hash = quotes.hash)
  or exists (select 1 from nonce_raises where nonce_raises.maker = quotes.maker and nonce_raises.nonce > quotes.nonce)
`.as('ended')

const insertListed = prepareQuery((on) =>
  on
    .insertInto('quotes')
    .values(anyRow)
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet(({ ref }) => ({
          listed: ref('excluded.listed'),
          status: ref('excluded.status'),
          seen_at: ref('excluded.seen_at'),
          body: ref('excluded.body'),
          apr: ref('excluded.apr'),
          created_at: ref('excluded.created_at'),
        }))
        .where(sql<SqlBool>`quotes.listed = 0`),
    )
    .returning([
      ended,
      sql<number | null>`(select expiry from series where series.series_key = quotes.series_key)`.as('seriesExpiry'),
    ]),
)

const insertUnlisted = prepareQuery((on) =>
  on
    .insertInto('quotes')
    .values(anyRow)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning(ended),
)

const insertObserved = prepareQuery((on) =>
  on
    .insertInto('auction_quotes')
    .values({
      rfq_id: anyBlob,
      public_rfq_id: anyBlob,
      hash: anyBlob,
      pool_id: anyBlob,
      series_key: anyBlob,
      expiry: 0,
      apr: 0,
      observed_at: 0,
    })
    .onConflict((conflict) => conflict.columns(['rfq_id', 'hash']).doNothing()),
)
