import { InvalidInputError, type QuoteStatus, toPublicRfqId } from '@firmquote/core'
import { type SqlBool, sql } from 'kysely'
import type { Address } from 'viem'
import type { MakerAuctionPage, MakerQuotePage, MakerQuoteRecord, Store } from '../../../ports/store.ts'
import { quoteRecord, recordColumns, secondsNumber } from '../quotes/quoteRows.ts'
import { blobOf, hexOf } from '../sql/blobs.ts'
import { decodeCursor, encodeCursor } from '../sql/cursor.ts'
import { bound, startsWith } from '../sql/dialect.ts'
import { blobsOf, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'
import { findAuctions } from './auctionRows.ts'

/** Maximum number of a maker's quotes read per page. If the list is filtered, a page may be shorter than `limit`. */
const maxRowsExamined = 1_000
/** Maximum total number of quotes in the auctions on one page. All of them are read to rank them. */
const maxRanked = 5_000

/** A page of all of a maker's quotes, newest first. */
export function* listMakerQuotes(
  maker: Address,
  { status, limit = 50, cursor }: Parameters<Store['listMakerQuotes']>[1],
  now: bigint,
): Script<MakerQuotePage> {
  const end = cursor === undefined ? newest : decodeCursor(cursor, 'created')
  const most = status === undefined ? Math.min(limit, maxRowsExamined) : maxRowsExamined
  const given = { maker: blobOf(maker), start: startOf(maker), now: secondsNumber(now), ...end, limit: most + 1 }
  const rows = yield* run(selectOfMaker, given)
  const looked = rows.slice(0, maxRowsExamined)
  const wanted = looked.filter((row) => status === undefined || row.status === status)
  const shown = wanted.slice(0, limit)
  const last = wanted.length > limit ? shown.at(-1) : rows.length > maxRowsExamined ? looked.at(-1) : undefined
  return {
    quotes: yield* findRecords(shown.map(({ hash }) => hash)),
    nextCursor: last ? encodeCursor('created', { key: last.created_at, hash: last.hash }) : null,
  }
}

/** A page of closed auctions in which a maker quoted, most recently opened first. */
export function* listMakerAuctions(
  maker: Address,
  { limit = 50, cursor }: Parameters<Store['listMakerAuctions']>[1],
): Script<MakerAuctionPage> {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeAuctionCursor(cursor)
  const rows = yield* run(selectAuctionsOfMaker, { maker: blobOf(maker), before, limit: limit + 1 })
  const shown: typeof rows = []
  let ranked = 0
  for (const row of rows.slice(0, limit)) {
    ranked += row.last_seq
    if (shown.length > 0 && ranked > maxRanked) break
    shown.push(row)
  }
  const last = shown.length < rows.length ? shown.at(-1) : undefined
  return {
    auctions: yield* findAuctions(shown.map(({ id }) => id)),
    nextCursor: last ? encodeAuctionCursor(last.id) : null,
  }
}

/** Records of quotes, each with its last auction, in the given order. Pruned quotes are omitted. */
function* findRecords(hashes: readonly Buffer[]): Script<MakerQuoteRecord[]> {
  const rows = yield* run(selectRecords, { hashes })
  const byHash = new Map(rows.map((row) => [hexOf(row.hash), row]))
  return hashes.flatMap((hash) => {
    const row = byHash.get(hexOf(hash))
    if (!row) return []
    const { last_auction: id } = row
    return [{ ...quoteRecord(row), ...(id && { publicRfqId: toPublicRfqId(id.toString('hex')) }) }]
  })
}

/** The cursor position before the newest quote. */
const newest = { key: Number.MAX_SAFE_INTEGER, hash: Buffer.alloc(0) }

/** The address prefix stored in SQLite's index. Queries also compare the full address. */
const startOf = (maker: Address) => blobOf(maker).subarray(0, 8)

type OfMaker = { maker: Buffer; start: Buffer; now: number; key: number; hash: Buffer; limit: number }

export const selectOfMaker = prepareQuery((on, { maker, start, now, key, hash, limit }: OfMaker) =>
  on
    .selectFrom('quotes')
    .select(['hash', 'created_at'])
    .select(
      sql<QuoteStatus>`case
        when status not in ('active', 'expired') then status
        when deadline < ${bound(now)} then 'expired'
        when exists (select 1 from series where series.series_key = quotes.series_key and expiry <= ${bound(now)})
          then 'expired'
        else 'active' end`.as('status'),
    )
    .where(startsWith('maker', start))
    .where(sql<SqlBool>`maker = ${bound(maker)}`)
    // Among quotes stored in the same millisecond, the one stored last comes first.
    .where(
      sql<SqlBool>`(created_at, quotes.rowid) < (${bound(key)},
        coalesce((select last.rowid from quotes as last where last.hash = ${bound(hash)}), ${sql.lit(Number.MAX_SAFE_INTEGER)}))`,
    )
    .orderBy('created_at', 'desc')
    .orderBy(sql`quotes.rowid`, 'desc')
    .limit(bound(limit)),
)

const selectRecords = prepareQuery((on, given: { hashes: readonly Buffer[] }) =>
  on
    .selectFrom('quotes')
    .select(recordColumns)
    .select((quote) =>
      quote
        .selectFrom('auction_quotes')
        .innerJoin('auctions', 'auctions.id', 'auction_quotes.auction_id')
        .select('auctions.public_rfq_id')
        .whereRef('auction_quotes.hash', '=', 'quotes.hash')
        .orderBy('auction_quotes.id', 'desc')
        .limit(1)
        .as('last_auction'),
    )
    .where('hash', 'in', blobsOf(given.hashes)),
)

export const selectAuctionsOfMaker = prepareQuery((on, given: { maker: Buffer; before: number; limit: number }) =>
  on
    .selectFrom('auction_quotes as own')
    .crossJoin('auctions')
    .select(['auctions.id', 'auctions.last_seq'])
    .where('own.maker', '=', given.maker)
    .where('own.auction_id', '<', given.before)
    .whereRef('auctions.id', '=', 'own.auction_id')
    .where('auctions.state', '=', 'closed')
    .orderBy('own.auction_id', 'desc')
    .limit(given.limit),
)

function encodeAuctionCursor(id: number): string {
  return Buffer.from(JSON.stringify(['auctions', id])).toString('base64url')
}

function decodeAuctionCursor(cursor: string): number {
  const id = /^\["auctions",([1-9]\d{0,14})\]$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1]
  if (id === undefined) throw new InvalidInputError('is not a cursor of this list.', { path: 'cursor' })
  return Number(id)
}
