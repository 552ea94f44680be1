// Why: docs/decisions/0024-stored-json-pages.md
import {
  deserializeSignedQuote,
  type SerializedSignedQuote,
  type StoredQuote,
  serializeSignedQuote,
} from '@firmquote/core'
import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Hex } from 'viem'
import type { NewQuote, QuoteRecord } from '../../../ports/store.ts'
import { blobOf, hexOf } from '../sql/blobs.ts'
import { blobsOf, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { run, type Script } from '../sql/script.ts'

/** The quote with a given hash. */
export function* findQuote(hash: Hex): Script<QuoteRecord | null> {
  const [row] = yield* run(selectQuote, { hash: blobOf(hash) })
  return row ? quoteRecord(row) : null
}

/** The stored quotes with the given hashes. */
export function* findQuotes(hashes: readonly Hex[]): Script<Map<Hex, QuoteRecord>> {
  const rows = yield* run(selectQuotes, { hashes: hashes.map(blobOf) })
  return new Map(rows.map((row) => [hexOf(row.hash), quoteRecord(row)]))
}

/** The stored texts of the quotes with the given hashes, in the same order. Omits quotes that have been deleted. */
export function* findBodies(hashes: readonly Buffer[]): Script<string[]> {
  if (hashes.length === 0) return []
  const rows = yield* run(selectBodies, { hashes })
  const bodies = new Map(rows.map(({ hash, body }) => [hexOf(hash), body]))
  return hashes.flatMap((hash) => bodies.get(hexOf(hash)) ?? [])
}

/** The number of a maker's published, active quotes. */
export function* countQuotes(maker: Hex, now: bigint): Script<number> {
  return (yield* run(countOfMaker, { maker: blobOf(maker), now: secondsNumber(now) }))[0]?.count ?? 0
}

// Columns that are returned. Other columns are only searched, because reading a blob would allocate a buffer.
export const shownColumns = ['hash', 'apr', 'created_at', 'status', 'listed', 'body', 'seen_at'] as const
/** A literal rather than a parameter, because SQLite uses a partial index only if the query contains its condition. */
export const isShown = sql<SqlBool>`listed = 1 and status = 'active'`
/**
 * The same condition as {@link isShown}, for lookups by maker. The values are bound so that no partial index matches.
 * PostgreSQL may reuse a plan made when the table was empty and all indexes had the same cost. Such a plan would scan a
 * whole index for each count.
 */
export const isShownOfMaker = ({ eb, and }: ExpressionBuilder<Tables, 'quotes'>) =>
  and([eb('listed', '=', 1), eb('status', '=', 'active')])
/** Expiry of the quote's series. */
export const seriesExpiry = sql<
  number | null
>`(select expiry from series where series.series_key = quotes.series_key)`.as('series_expiry')

/** SQLite evaluates the second condition only for unpublished quotes. */
const isSecret = sql<number>`case when quotes.listed = 0 and not exists (
  select 1 from auction_quotes join auctions on auctions.id = auction_quotes.auction_id
  where auction_quotes.hash = quotes.hash and auctions.state = 'closed') then 1 else 0 end`.as('is_secret')

/** Columns required by {@link quoteRecord}. */
export const recordColumns = [...shownColumns, seriesExpiry, isSecret]

const selectQuote = prepareQuery((on, given: { hash: Buffer }) =>
  on.selectFrom('quotes').select(recordColumns).where('hash', '=', given.hash),
)
export const selectQuotes = prepareQuery((on, given: { hashes: readonly Buffer[] }) =>
  on.selectFrom('quotes').select(recordColumns).where('hash', 'in', blobsOf(given.hashes)),
)
const selectBodies = prepareQuery((on, given: { hashes: readonly Buffer[] }) =>
  on.selectFrom('quotes').select(['hash', 'body']).where('hash', 'in', blobsOf(given.hashes)),
)
export const countOfMaker = prepareQuery((on, given: { maker: Buffer; now: number }) =>
  on
    .selectFrom('quotes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isShownOfMaker)
    .where('maker', '=', given.maker)
    .where('deadline', '>=', given.now),
)

/** Converts a row to a record. */
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

/** Converts seconds to the stored number, capped at the largest safe integer. */
export function secondsNumber(seconds: bigint): number {
  const largest = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(seconds > largest ? largest : seconds)
}

/** Encodes a record as the JSON text that is stored and sent. Pages are concatenated from these texts. */
export function encodeBody({ hash, quote, apr, createdAt }: NewQuote): string {
  return JSON.stringify({ hash, quote: serializeSignedQuote(quote), apr, createdAt })
}

/** Parses a stored text, which was validated before it was stored. */
export function parseBody(body: string): NewQuote {
  const { quote, ...rest } = JSON.parse(body) as Omit<NewQuote, 'quote'> & { quote: SerializedSignedQuote }
  return { ...rest, quote: deserializeSignedQuote(quote) }
}
