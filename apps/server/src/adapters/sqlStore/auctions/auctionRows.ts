// Why: docs/decisions/0013-the-row-is-the-lock.md
import { toPublicRfqId, toRfqId } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import { decodeOrThrow, rfqShape } from '@firmquote/core/wire'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Hex } from 'viem'
import type { AcceptedQuote, AuctionClose, AuctionRecord } from '../../../domain/auctionRecord.ts'
import {
  type KeyedAuction,
  keyLifetimeMs,
  type NewAuction,
  type NewClose,
  type OpenedAuction,
  type Store,
} from '../../../ports/store.ts'
import { parseBody } from '../quotes/quoteRows.ts'
import { blobOf, hexOf, idBlob } from '../sql/blobs.ts'
import { perDialect } from '../sql/dialect.ts'
import { integersOf, pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { run, type Script } from '../sql/script.ts'

/** Inserts an auction unless another one has the same idempotency key. */
export function* openAuction({ rfq, publicRfqId, backers, key }: NewAuction): Script<OpenedAuction> {
  const since = rfq.openedAt - keyLifetimeMs
  if (key) yield* run(clearOldKey, { key: blobOf(key.key), since })
  const [opened] = yield* run(insertAuction, {
    public_rfq_id: idBlob(publicRfqId),
    rfq_id: idBlob(rfq.rfqId),
    state: 'open',
    opened_at: rfq.openedAt,
    closes_at: rfq.closesAt,
    last_seq: 0,
    backers,
    key_hash: key && blobOf(key.key),
    request_hash: key && blobOf(key.request),
    taker: rfq.takerVerified && rfq.taker ? blobOf(rfq.taker) : null,
    body: encodeJson(rfq),
  })
  if (opened || (yield* run(selectAuction.public, { id: idBlob(publicRfqId) })).length > 0) return { opened: true }
  const existing = key && (yield* findAuctionByKey(key.key, since))
  if (!existing) throw new TypeError('Another auction has the same ID.')
  return { opened: false, existing }
}

/** The auction with an idempotency key, if opened at or after `since` (Unix milliseconds). */
export function* findAuctionByKey(key: Hex, since: number): Script<KeyedAuction | null> {
  const [row] = yield* run(selectByKey, { key: blobOf(key), since })
  return row?.request_hash ? { rfqId: toRfqId(row.rfq_id.toString('hex')), request: hexOf(row.request_hash) } : null
}

/** Closes an auction whose deadline has passed. Accepting a quote locks the same row, so no quote is added later. */
export function* closeAuction({
  publicRfqId,
  at,
  rejectedCount,
  interrupted,
  knownCount = 0,
}: NewClose): Script<Awaited<ReturnType<Store['closeAuction']>>> {
  const id = idBlob(publicRfqId)
  const closedNow = (yield* run(updateToClosed, { id, at, rejectedCount, interrupted: interrupted ? 1 : 0 })).length > 0
  const [row] = yield* run(selectAuction.public, { id })
  return row && row.closed_at !== null ? { closedNow, auction: yield* auctionRecord(row, knownCount) } : null
}

/** An auction found by either ID, with its quotes after `knownCount`. */
export function* findAuction(id: Parameters<Store['findAuction']>[0], knownCount = 0): Script<AuctionRecord | null> {
  const [row] =
    'publicRfqId' in id
      ? yield* run(selectAuction.public, { id: idBlob(id.publicRfqId) })
      : yield* run(selectAuction.secret, { id: idBlob(id.rfqId) })
  return row ? yield* auctionRecord(row, knownCount) : null
}

/** Auctions found by row ID, in the given order. Pruned auctions are omitted. */
export function* findAuctions(ids: readonly number[]): Script<AuctionRecord[]> {
  const rows = new Map((yield* run(selectAuctions, { ids })).map((row) => [row.id, row]))
  const quotes = new Map<number, QuoteRow[]>(ids.map((id) => [id, []]))
  for (const row of yield* run(selectQuotesOf, { ids })) quotes.get(row.auction_id)?.push(row)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [recordOf(row, quotes.get(id) ?? [])] : []
  })
}

/** Open auctions, earliest deadline first. */
export function* listOpenAuctions(): Script<Awaited<ReturnType<Store['listOpenAuctions']>>> {
  return (yield* run(selectOpen)).map((row) => ({
    publicRfqId: toPublicRfqId(row.public_rfq_id.toString('hex')),
    lastSeq: row.last_seq,
  }))
}

/** When the open auction with the earliest end ends. */
export function* findOldestEnd(): Script<number | null> {
  return (yield* run(selectOldestEnd))[0]?.closes_at ?? null
}

function* auctionRecord(row: AuctionRow, after: number): Script<AuctionRecord> {
  return recordOf(row, yield* run(selectQuotes, { auction: row.id, after }))
}

function recordOf(row: AuctionRow, quotes: readonly QuoteRow[]): AuctionRecord {
  return {
    rfq: decodeOrThrow(rfqShape, JSON.parse(row.body), 'The stored auction'),
    publicRfqId: toPublicRfqId(row.public_rfq_id.toString('hex')),
    backers: row.backers,
    quotes: quotes.map(acceptedQuoteOf),
    close: auctionClose(row),
  }
}

/** An accepted quote from its row. */
function acceptedQuoteOf(row: QuoteRow): AcceptedQuote {
  const { hash, apr, observed_at: receivedAt, seq, arrival, unproven, block_number, block_hash, body, status } = row
  const block = block_number !== null && block_hash && { number: BigInt(block_number), hash: hexOf(block_hash) }
  return {
    hash: hexOf(hash),
    quote: parseBody(body).quote,
    apr,
    receivedAt,
    seq,
    arrival,
    ...(unproven === 1 && { unproven: true }),
    ...(block && { block }),
    ...(status !== 'active' && status !== 'expired' && { status }),
  }
}

function auctionClose(row: AuctionRow): AuctionClose | null {
  if (row.closed_at === null) return null
  return { closedAt: row.closed_at, rejectedCount: row.rejected_count ?? 0, interrupted: row.interrupted === 1 }
}

type NewAuctionRow = Omit<Insertable<Tables['auctions']>, 'id' | 'closed_at' | 'rejected_count' | 'interrupted'>

const insertAuction = prepareQuery((on, given: NewAuctionRow) =>
  on
    .insertInto('auctions')
    .values(
      pick(given, [
        ...(['public_rfq_id', 'rfq_id', 'state', 'opened_at', 'closes_at', 'last_seq', 'backers'] as const),
        ...(['key_hash', 'request_hash', 'taker', 'body'] as const),
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)
const clearOldKey = prepareQuery((on, given: { key: Buffer; since: number }) =>
  on
    .updateTable('auctions')
    .set({ key_hash: null, request_hash: null })
    .where('key_hash', '=', given.key)
    .where('opened_at', '<', given.since),
)
const selectByKey = prepareQuery((on, given: { key: Buffer; since: number }) =>
  on
    .selectFrom('auctions')
    .select(['rfq_id', 'request_hash'])
    .where('key_hash', '=', given.key)
    .where('opened_at', '>=', given.since),
)
const updateToClosed = prepareQuery(
  (on, given: { id: Buffer; at: number; rejectedCount: number; interrupted: number }) =>
    on
      .updateTable('auctions')
      .set({
        state: 'closed',
        closed_at: given.at,
        rejected_count: given.rejectedCount,
        interrupted: given.interrupted,
      })
      .where('public_rfq_id', '=', given.id)
      .where('state', '=', 'open')
      .where('closes_at', '<=', given.at)
      .returning('id'),
)

const auctionColumns = [
  ...(['id', 'public_rfq_id', 'backers', 'closed_at', 'rejected_count', 'interrupted', 'body'] as const),
] as const
type AuctionRow = Pick<Selectable<Tables['auctions']>, (typeof auctionColumns)[number]>

const selectAuction = { public: prepareAuction('public_rfq_id'), secret: prepareAuction('rfq_id') }

function prepareAuction(column: 'public_rfq_id' | 'rfq_id') {
  return prepareQuery((on, given: { id: Buffer }) =>
    on.selectFrom('auctions').select(auctionColumns).where(column, '=', given.id),
  )
}

const selectAuctions = prepareQuery((on, given: { ids: readonly number[] }) =>
  on.selectFrom('auctions').select(auctionColumns).where('id', 'in', integersOf(given.ids)),
)

/** A column of provable auctions, which PostgreSQL does not have yet. */
const provable = <Value>(column: string) =>
  perDialect<Value | null>({ sqlite: sql.ref(`kept.${column}`), postgres: sql`null` })

/** The columns of `auction_quotes as kept` and `quotes` for {@link acceptedQuoteOf}. */
const acceptedQuoteColumns = [
  ...([
    'kept.hash',
    'kept.apr',
    'kept.observed_at',
    'kept.seq',
    'kept.arrival',
    'kept.unproven',
    'quotes.body',
    'quotes.status',
  ] as const),
  provable<number>('block_number').as('block_number'),
  provable<Buffer>('block_hash').as('block_hash'),
] as const
type QuoteRow = NonNullable<(typeof selectQuotes)['row']>

const selectQuotesOf = prepareQuery((on, given: { ids: readonly number[] }) =>
  on
    .selectFrom('auction_quotes as kept')
    .innerJoin('quotes', 'quotes.hash', 'kept.hash')
    .select(['kept.auction_id', ...acceptedQuoteColumns])
    .where('kept.auction_id', 'in', integersOf(given.ids))
    .orderBy('kept.auction_id')
    .orderBy('kept.seq'),
)
const selectQuotes = prepareQuery((on, given: { auction: number; after: number }) =>
  on
    .selectFrom('auction_quotes as kept')
    .innerJoin('quotes', 'quotes.hash', 'kept.hash')
    .select(acceptedQuoteColumns)
    .where('kept.auction_id', '=', given.auction)
    .where('kept.seq', '>', given.after)
    .orderBy('kept.seq'),
)
/** A literal rather than a parameter, because SQLite uses a partial index only if the query contains its condition. */
export const isOpen = sql<boolean>`state = 'open'`

const selectOpen = prepareQuery((on) =>
  on.selectFrom('auctions').select(['public_rfq_id', 'last_seq']).where(isOpen).orderBy('closes_at'),
)
const selectOldestEnd = prepareQuery((on) =>
  on.selectFrom('auctions').select('closes_at').where(isOpen).orderBy('closes_at').limit(1),
)
