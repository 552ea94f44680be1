import type { StoredQuote } from '@firmquote/core'
import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Hex } from 'viem'
import type { QuoteRecord } from '../../../ports/store.ts'
import { blobOf, hexOf } from '../sql/blobs.ts'
import { blobsOf, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { run, type Script } from '../sql/script.ts'
import { parseBody } from './quoteBody.ts'

/** A quote by its hash. */
export function* findQuote(hash: Hex): Script<QuoteRecord | null> {
  const [row] = yield* run(selectQuote, { hash: blobOf(hash) })
  return row ? quoteRecord(row) : null
}

/** Quotes by their hashes, as many of them as are there. */
export function* findQuotes(hashes: readonly Hex[]): Script<Map<Hex, QuoteRecord>> {
  const rows = yield* run(selectQuotes, { hashes: hashes.map(blobOf) })
  return new Map(rows.map((row) => [hexOf(row.hash), quoteRecord(row)]))
}

/** How many published, active quotes a maker has. */
export function* countQuotes(maker: Hex, now: bigint): Script<number> {
  return (yield* run(countOfMaker, { maker: blobOf(maker), now: secondsNumber(now) }))[0]?.count ?? 0
}

// The others are there to be searched: a blob that is not needed is a buffer that is not made.
export const shownColumns = ['hash', 'apr', 'created_at', 'status', 'listed', 'body', 'seen_at'] as const
/** Written out, not bound: SQLite uses a partial index only where it sees the index's own condition. */
export const isShown = sql<SqlBool>`listed = 1 and status = 'active'`
/**
 * The same for what is looked up by its maker. Bound, so that no partial index can serve it: PostgreSQL keeps the plan that it made
 * while a table was empty, when all indexes are alike, and would read a whole one for each count.
 */
export const isShownOfMaker = ({ eb, and }: ExpressionBuilder<Tables, 'quotes'>) =>
  and([eb('listed', '=', 1), eb('status', '=', 'active')])
/** When its series ends. */
export const seriesExpiry = sql<
  number | null
>`(select expiry from series where series.series_key = quotes.series_key)`.as('series_expiry')

/** SQLite evaluates the second condition of a quote that is not published only. */
const isSecret = sql<number>`case when quotes.listed = 0 and not exists (
  select 1 from auction_quotes join auctions on auctions.id = auction_quotes.auction_id
  where auction_quotes.hash = quotes.hash and auctions.state = 'closed') then 1 else 0 end`.as('is_secret')

/** What {@link quoteRecord} is made of. */
export const recordColumns = [...shownColumns, seriesExpiry, isSecret]

const selectQuote = prepareQuery((on, given: { hash: Buffer }) =>
  on.selectFrom('quotes').select(recordColumns).where('hash', '=', given.hash),
)
export const selectQuotes = prepareQuery((on, given: { hashes: readonly Buffer[] }) =>
  on.selectFrom('quotes').select(recordColumns).where('hash', 'in', blobsOf(given.hashes)),
)
export const countOfMaker = prepareQuery((on, given: { maker: Buffer; now: number }) =>
  on
    .selectFrom('quotes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isShownOfMaker)
    .where('maker', '=', given.maker)
    .where('deadline', '>=', given.now),
)

/** The record of a row. */
export function quoteRecord(
  row: Pick<Selectable<Tables['quotes']>, (typeof shownColumns)[number]> & {
    series_expiry: number | null
    is_secret: number
  },
): QuoteRecord {
  return {
    hash: hexOf(row.hash),
    quote: parseBody(row.body).quote,
    apr: row.apr,
    createdAt: row.created_at,
    status: row.status === 'expired' ? 'active' : row.status,
    listed: row.listed === 1,
    ...(row.is_secret === 1 && { secret: true as const }),
    ...(row.series_expiry === null ? {} : { seriesExpiry: row.series_expiry }),
    ...(row.seen_at === null ? {} : { seenAt: parseSeenAt(row.seen_at) }),
  }
}

function parseSeenAt(text: string): NonNullable<StoredQuote['seenAt']> {
  const { blockNumber, ...rest } = JSON.parse(text) as {
    blockNumber: string
    blockHash: Hex
    transactionHash?: Hex
  }
  return { blockNumber: BigInt(blockNumber), ...rest }
}

/** Seconds as they are kept: what is later than JavaScript counts is the largest that it does. */
export function secondsNumber(seconds: bigint): number {
  const largest = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(seconds > largest ? largest : seconds)
}
