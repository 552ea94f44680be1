import {
  deserializeSignedQuote,
  type QuoteFilters,
  type SerializedSignedQuote,
  type SignedQuote,
  type StoredQuote,
  serializeSignedQuote,
} from '@firmquote/core'
import { type Insertable, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { KeptQuote, NewQuote } from '../../ports/store.ts'
import { amountBlob, blobOf, hexOf } from './blobs.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { refreshQuotes } from './quoteEnds.ts'
import type { Tables } from './schema.ts'

/** A row for a quote. */
export function quoteRow({ hash, quote, apr, createdAt }: NewQuote, listed: boolean): Insertable<Tables['quotes']> {
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
    body: JSON.stringify(serializeSignedQuote(quote)),
    seen_at: null,
    nonce: amountBlob(quote.nonce),
  }
}

/** The signed quote in a row. What is in the database was checked on its way in. */
export function parseBody(body: string): SignedQuote {
  return deserializeSignedQuote(JSON.parse(body) as SerializedSignedQuote)
}

/** Stores a published quote; false when it had been published before. */
export async function insertListedQuote(transaction: Transaction<Tables>, quote: NewQuote): Promise<boolean> {
  const row = quoteRow(quote, true)
  const { body, apr, created_at } = row
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('quotes')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet({ listed: 1, status: 'active', seen_at: null, body, apr, created_at })
        .where('quotes.listed', '=', 0),
    )
    .executeTakeFirst()
  // An event that ends it may have been synced while it was judged.
  await refreshQuotes(transaction, { hashes: [row.hash] })
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** A quote by its hash. */
export async function findQuote(db: Kysely<Tables>, hash: Hex): Promise<KeptQuote | null> {
  const row = await db
    .selectFrom('quotes')
    .selectAll()
    .select(seriesExpiry)
    .where('hash', '=', blobOf(hash))
    .executeTakeFirst()
  return row ? keptQuote(row) : null
}

/** One page of published, active quotes. */
export async function listQuotes(
  db: Kysely<Tables>,
  filters: QuoteFilters,
  now: bigint,
): Promise<{ quotes: KeptQuote[]; nextCursor: string | null }> {
  const { maker, taker, poolId, seriesKey, minNotional, maxNotional, sort = 'created', limit = 50, cursor } = filters
  const after = cursor === undefined ? undefined : decodeCursor(cursor, sort)
  const column = ({ rate: 'apr', created: 'created_at', deadline: 'deadline' } as const)[sort]
  const direction = sort === 'created' ? 'desc' : 'asc'
  const rows = await db
    .selectFrom('quotes')
    .selectAll()
    .select(seriesExpiry)
    .where(isShown)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('series')
            .select('expiry')
            .whereRef('series.series_key', '=', 'quotes.series_key')
            .where('expiry', '<=', secondsNumber(now)),
        ),
      ),
    )
    // The plus keeps SQLite from using the deadline's index for a list in another order, which it would then sort whole.
    .where(sql.raw<number>(sort === 'deadline' ? 'deadline' : '+deadline'), '>=', secondsNumber(now))
    .$if(maker !== undefined, (query) => query.where('maker', '=', blobOf(maker ?? '0x')))
    .$if(taker !== undefined, (query) => query.where('taker', '=', blobOf(taker ?? '0x')))
    .$if(poolId !== undefined, (query) => query.where('pool_id', '=', blobOf(poolId ?? '0x')))
    .$if(seriesKey !== undefined, (query) => query.where('series_key', '=', blobOf(seriesKey ?? '0x')))
    .$if(minNotional !== undefined, (query) => query.where('notional', '>=', amountBlob(minNotional ?? 0n)))
    .$if(maxNotional !== undefined, (query) => query.where('notional', '<=', amountBlob(maxNotional ?? 0n)))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, and, or }) =>
        or([
          eb(column, direction === 'asc' ? '>' : '<', after?.key ?? 0),
          and([eb(column, '=', after?.key ?? 0), eb('hash', '>', after?.hash ?? Buffer.alloc(0))]),
        ]),
      ),
    )
    .orderBy(column, direction)
    .orderBy('hash', 'asc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    quotes: page.map(keptQuote),
    nextCursor: last && rows.length > limit ? encodeCursor({ sort, key: last[column], hash: last.hash }) : null,
  }
}

/** How many published, active quotes a maker has. */
export async function countQuotes(db: Kysely<Tables>, maker: Hex, now: bigint): Promise<number> {
  const { count } = await db
    .selectFrom('quotes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isShown)
    .where('maker', '=', blobOf(maker))
    .where('deadline', '>=', secondsNumber(now))
    .executeTakeFirstOrThrow()
  return count
}

// Written out, not bound: SQLite uses a partial index only where it sees the index's own condition.
const isShown = sql<SqlBool>`listed = 1 and status = 'active'`
const seriesExpiry = sql<number | null>`(select expiry from series where series.series_key = quotes.series_key)`.as(
  'series_expiry',
)

function keptQuote(row: Selectable<Tables['quotes']> & { series_expiry: number | null }): KeptQuote {
  return {
    hash: hexOf(row.hash),
    quote: parseBody(row.body),
    apr: row.apr,
    createdAt: row.created_at,
    status: row.status,
    listed: row.listed === 1,
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

function secondsNumber(seconds: bigint): number {
  const largest = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(seconds > largest ? largest : seconds)
}
