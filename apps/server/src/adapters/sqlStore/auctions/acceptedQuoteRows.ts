import { type PublicRfqId, toPublicRfqId } from '@firmquote/core'
import { type Insertable, sql } from 'kysely'
import { type Address, bytesToHex, type Hex } from 'viem'
import { acceptedQuoteLeaf, hashTranscriptLeaf } from '../../../domain/transcript.ts'
import type { AcceptOutcome, AuctionEntry, NewAuctionQuote, ObservationRecord } from '../../../ports/store.ts'
import { insertUnlistedQuote } from '../quotes/insertQuotes.ts'
import { findQuote, parseBody } from '../quotes/quoteRows.ts'
import { blobOf, hexOf, idBlob } from '../sql/blobs.ts'
import { jsonInteger, perDialect } from '../sql/dialect.ts'
import { lockEndsShared } from '../sql/locks.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { run, type Script } from '../sql/script.ts'
import { isOpen } from './auctionRows.ts'

/** A quote for an auction. `at` is the caller's auction time in Unix milliseconds. */
export type Acceptance = { quote: NewAuctionQuote; at: number }

/**
 * Adds a quote to its auction. The quote is first counted in the auction's row, which is also updated when the auction
 * closes. The close therefore includes every counted quote, and no quote is counted later. An existing quote is not
 * counted twice.
 */
export function* acceptQuote({ quote: accepted, at }: Acceptance): Script<AcceptOutcome> {
  const { publicRfqId, hash, quote, apr, receivedAt, arrival, unproven, block } = accepted
  const [id, maker] = [idBlob(publicRfqId), blobOf(quote.maker)]
  yield* run(lockEndsShared)
  const [counted] = yield* run(countQuote, { id, at })
  if (!counted) return yield* answerWithoutPlace(id, { hash, maker })
  const own = yield* findOwnQuote(counted.id, maker)
  if (own) {
    yield* run(uncountQuote, { auction: counted.id })
    return answerOwn(own, hash) ?? { status: 'quoted', hash: own.hash }
  }
  const isNew = yield* insertUnlistedQuote({ hash, quote, apr, createdAt: receivedAt })
  const { id: auction, last_seq: seq, secret } = counted
  // A quote keeps its first signature, even if a later auction accepts it with another one.
  const stored = isNew || !secret ? quote : ((yield* findQuote(hash))?.quote ?? quote)
  const leaf = secret && hashTranscriptLeaf(acceptedQuoteLeaf({ ...accepted, quote: stored, seq }, secret))
  const row = {
    auction_id: auction,
    seq,
    maker,
    hash: blobOf(hash),
    pool_id: blobOf(quote.poolId),
    series_key: blobOf(quote.seriesKey),
    apr,
    observed_at: receivedAt,
    arrival,
    unproven: Number(unproven === true),
    block_number: block ? Number(block.number) : null,
    block_hash: block ? blobOf(block.hash) : null,
    leaf: leaf && Buffer.from(leaf),
  }
  yield* run(leaf ? insertProvable : insertAccepted, row)
  return { status: 'accepted', seq, receivedAt, ...(leaf && { leaf: bytesToHex(leaf) }) }
}

/** The outcome for a quote whose auction is closed or unknown. */
function* answerWithoutPlace(id: Buffer, { hash, maker }: { hash: Hex; maker: Buffer }): Script<AcceptOutcome> {
  const [auction] = yield* run(selectTimes, { id })
  if (!auction) return { status: 'unknown_auction' }
  const own = yield* findOwnQuote(auction.id, maker)
  return (own && answerOwn(own, hash)) ?? { status: 'closed', closedAt: auction.closed_at ?? auction.closes_at }
}

/** Returns the outcome for a quote that is already in the auction, or null. The hash identifies the quote. */
function answerOwn(own: OwnQuote, hash: Hex): AcceptOutcome | null {
  return own.hash === hash ? { status: 'accepted', seq: own.seq, receivedAt: own.receivedAt } : null
}

/** A maker's accepted quote in an auction, with the times of the auction. */
export function* findAuctionEntry(publicRfqId: string, maker: Address): Script<AuctionEntry | null> {
  const [auction] = yield* run(selectTimes, { id: idBlob(publicRfqId) })
  if (!auction) return null
  const own = yield* findOwnQuote(auction.id, blobOf(maker))
  return {
    closesAt: auction.closes_at,
    closedAt: auction.closed_at,
    accepted: own && { hash: own.hash, receivedAt: own.receivedAt },
  }
}

/** Open auctions that have accepted a quote from a maker. */
export function* listQuotedAuctions(maker: Address): Script<PublicRfqId[]> {
  const rows = yield* run(selectQuoted, { maker: blobOf(maker) })
  return rows.map((row) => toPublicRfqId(row.public_rfq_id.toString('hex')))
}

type OwnQuote = { hash: Hex; seq: number; receivedAt: number }

function* findOwnQuote(auction: number, maker: Buffer): Script<OwnQuote | null> {
  const [row] = yield* run(selectOwn, { auction, maker })
  return row ? { hash: hexOf(row.hash), seq: row.seq, receivedAt: row.observed_at } : null
}

/** Quotes from closed auctions, newest first. */
export function* listObservations({
  poolId,
  seriesKey,
  limit = 50,
}: {
  poolId?: Hex
  seriesKey?: Hex
  limit?: number
}): Script<ObservationRecord[]> {
  const query = observationsOf[poolId === undefined ? 'any' : 'pool'][seriesKey === undefined ? 'any' : 'series']
  const rows = yield* run(query, { poolId: blobOf(poolId ?? '0x'), seriesKey: blobOf(seriesKey ?? '0x'), limit })
  return rows.map((row) => ({
    publicRfqId: toPublicRfqId(row.public_rfq_id.toString('hex')),
    hash: hexOf(row.hash),
    quote: parseBody(row.body).quote,
    apr: row.apr,
    expiry: row.expiry,
    observedAt: row.observed_at,
  }))
}

/**
 * The secret of a provable auction, or null. PostgreSQL has no provable auctions yet. A text is read faster than a blob,
 * for which a buffer is allocated.
 */
const secretOfAuction = perDialect<Hex | null>({
  sqlite: sql`(select '0x' || lower(hex(secret)) from auction_proofs where auction_proofs.auction_id = auctions.id)`,
  postgres: sql`null`,
}).as('secret')

const countQuote = prepareQuery((on, given: { id: Buffer; at: number }) =>
  on
    .updateTable('auctions')
    .set(({ eb }) => ({ last_seq: eb('last_seq', '+', 1) }))
    .where('public_rfq_id', '=', given.id)
    .where('state', '=', 'open')
    .where('closes_at', '>', given.at)
    .returning(['id', 'last_seq', secretOfAuction]),
)
const uncountQuote = prepareQuery((on, given: { auction: number }) =>
  on
    .updateTable('auctions')
    .set(({ eb }) => ({ last_seq: eb('last_seq', '-', 1) }))
    .where('id', '=', given.auction),
)
const selectTimes = prepareQuery((on, given: { id: Buffer }) =>
  on.selectFrom('auctions').select(['id', 'closes_at', 'closed_at']).where('public_rfq_id', '=', given.id),
)
export const selectOwn = prepareQuery((on, given: { auction: number; maker: Buffer }) =>
  on
    .selectFrom('auction_quotes')
    .select(['hash', 'seq', 'observed_at'])
    .where('auction_id', '=', given.auction)
    .where('maker', '=', given.maker),
)
const selectQuoted = prepareQuery((on, given: { maker: Buffer }) =>
  on
    .selectFrom('auctions')
    .innerJoin('auction_quotes', 'auction_quotes.auction_id', 'auctions.id')
    .select('auctions.public_rfq_id')
    .where(isOpen)
    .where('auction_quotes.maker', '=', given.maker),
)
const columns = [
  ...(['auction_id', 'seq', 'maker', 'hash', 'pool_id', 'series_key', 'apr', 'observed_at', 'arrival'] as const),
  'unproven',
] as const
type NewRow = Omit<Insertable<Tables['auction_quotes']>, 'id'>
const insertAccepted = prepareQuery((on, given: NewRow) => on.insertInto('auction_quotes').values(pick(given, columns)))
const insertProvable = prepareQuery((on, given: NewRow) =>
  on.insertInto('auction_quotes').values(pick(given, [...columns, 'block_number', 'block_hash', 'leaf'])),
)

const observationsOf = {
  any: { any: prepareObservations([]), series: prepareObservations(['series_key']) },
  pool: { any: prepareObservations(['pool_id']), series: prepareObservations(['pool_id', 'series_key']) },
}

function prepareObservations(filters: readonly ('pool_id' | 'series_key')[]) {
  return prepareQuery((on, given: { poolId: Buffer; seriesKey: Buffer; limit: number }) => {
    const all = on
      .selectFrom('auction_quotes as observed')
      // Preserve the join order: the newest quotes first, then each quote's auction.
      .crossJoin('auctions')
      .crossJoin('quotes')
      .select([
        ...([
          'auctions.public_rfq_id',
          'observed.hash',
          'observed.apr',
          'observed.observed_at',
          'quotes.body',
        ] as const),
        jsonInteger('auctions.body', 'expiry').as('expiry'),
      ])
      .whereRef('auctions.id', '=', 'observed.auction_id')
      .whereRef('quotes.hash', '=', 'observed.hash')
      // Only the borrower may see an open auction's quotes.
      .where('auctions.state', '=', 'closed')
      .orderBy('observed.id', 'desc')
      .limit(given.limit)
    const wanted = { pool_id: given.poolId, series_key: given.seriesKey }
    return filters.reduce((query, column) => query.where(`observed.${column}`, '=', wanted[column]), all)
  })
}
