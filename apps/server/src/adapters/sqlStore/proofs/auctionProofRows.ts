import type { Address } from 'viem'
import type { QuoteBlock } from '../../../domain/auctionRecord.ts'
import { chooseBest } from '../../../domain/auctionRecord.ts'
import {
  closingEntry,
  closingRecord,
  hashTranscriptLeaf,
  openingEntry,
  transcriptOf,
} from '../../../domain/transcript.ts'
import type {
  AcceptOutcome,
  AuctionProofRow,
  NewAuction,
  NewClose,
  OpenedAuction,
  ProofStore,
  ProvableAuction,
  Store,
} from '../../../ports/store.ts'
import { type Acceptance, acceptQuote } from '../auctions/acceptedQuoteRows.ts'
import {
  acceptedQuoteColumns,
  acceptedQuoteOf,
  closeAuction,
  findAuction,
  openAuction,
} from '../auctions/auctionRows.ts'
import { blobOf, hexOf, idBlob } from '../sql/blobs.ts'
import { prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'
import { appendEntry } from './logRows.ts'

/** Opens an auction. With a secret, appends its opening to the log in the same transaction. */
export function* openProvableAuction(auction: NewAuction): Script<OpenedAuction> {
  const opened = yield* openAuction(auction)
  const { secret, publicRfqId } = auction
  if (!opened.opened || secret === undefined) return opened
  const id = idBlob(publicRfqId)
  // A repeated call must not append a second entry.
  if ((yield* run(selectProof.public, { id })).length > 0) return opened
  const { log, position } = yield* appendEntry(openingEntry(auction, secret))
  yield* run(insertProof, { id, secret: blobOf(secret), log, position })
  return opened
}

/** Adds a quote to its auction, and the block at which it was judged if the auction is provable. */
export function* acceptProvableQuote(acceptance: Acceptance): Script<AcceptOutcome> {
  const { block, publicRfqId, hash } = acceptance.quote
  if (!block) return yield* acceptQuote(acceptance)
  // A quote keeps its first signature, even if a later auction accepts it with another one.
  const isNew = (yield* run(selectKnown, { hash: blobOf(hash) })).length === 0
  const outcome = yield* acceptQuote(acceptance)
  if (outcome.status === 'accepted') {
    const { seq } = outcome
    yield* run(insertBlock, {
      id: idBlob(publicRfqId),
      seq,
      number: Number(block.number),
      hash: blobOf(block.hash),
    })
    if (isNew) return { ...outcome, isNew }
  }
  return outcome
}

/** Closes an auction. If it is provable, appends its close to the log in the same transaction. */
export function* closeProvableAuction(close: NewClose): Script<Awaited<ReturnType<Store['closeAuction']>>> {
  const { publicRfqId, knownCount = 0 } = close
  const id = idBlob(publicRfqId)
  const [proof] = yield* run(selectProof.public, { id })
  if (!proof || proof.close_log !== null) return yield* closeAuction(close)
  const closed = yield* closeAuction({ ...close, knownCount: 0 })
  if (!closed?.auction.close) return closed
  const auction = { ...closed.auction, quotes: yield* withBlocks(proof.auction_id, closed.auction.quotes) }
  const best = chooseBest(auction)
  const record = closingRecord({ ...auction, best, close: closed.auction.close })
  const leaves = transcriptOf(auction, hexOf(proof.secret), record).map(hashTranscriptLeaf)
  const place = yield* appendEntry(closingEntry(auction, closed.auction.close, leaves))
  yield* run(updateProof, { auction: proof.auction_id, ...place, record: Buffer.from(record) })
  return { ...closed, auction: { ...closed.auction, best, quotes: closed.auction.quotes.slice(knownCount) } }
}

/** Finds a provable auction with all its quotes. */
export function* findProvableAuction(id: Parameters<ProofStore['findAuction']>[0]): Script<ProvableAuction | null> {
  const [proof] = yield* selectProofOf(id)
  const auction = proof && (yield* findAuction(id))
  if (!auction) return null
  const { close_log: log, close_position: position, closing: record } = proof
  return {
    auction: { ...auction, quotes: yield* withBlocks(proof.auction_id, auction.quotes) },
    secret: hexOf(proof.secret),
    open: { log: proof.open_log, position: proof.open_position },
    close: log === null || position === null || record === null ? null : { log, position, record },
  }
}

/** The data that makes an auction provable. */
export function* findProof(id: Parameters<ProofStore['findProof']>[0]): Script<AuctionProofRow | null> {
  const [proof] = yield* selectProofOf(id)
  if (!proof) return null
  const { close_log: log, close_position: position } = proof
  return {
    secret: hexOf(proof.secret),
    open: { log: proof.open_log, position: proof.open_position },
    close: log === null || position === null ? null : { log, position },
  }
}

/** A maker's quote in a provable auction. */
export function* findProvableQuote(
  publicRfqId: string,
  maker: Address,
): Script<Awaited<ReturnType<ProofStore['findQuote']>>> {
  const [row] = yield* run(selectOwnProof, { id: idBlob(publicRfqId), maker: blobOf(maker) })
  if (!row) return null
  const { secret, block_number: number, block_hash: hash } = row
  const block = number === null || hash === null ? null : { number: BigInt(number), hash: hexOf(hash) }
  return { secret: hexOf(secret), quote: { ...acceptedQuoteOf(row), ...(block && { block }) } }
}

type Quotes = ProvableAuction['auction']['quotes']

function* withBlocks(auction: number, quotes: Quotes): Script<Quotes> {
  const rows = yield* run(selectBlocks, { auction })
  const blocks = new Map(
    rows.map((row): [number, QuoteBlock] => [
      row.seq,
      { number: BigInt(row.block_number), hash: hexOf(row.block_hash) },
    ]),
  )
  return quotes.map((quote) => {
    const block = blocks.get(quote.seq)
    return block ? { ...quote, block } : quote
  })
}

function selectProofOf(id: Parameters<ProofStore['findProof']>[0]) {
  return 'publicRfqId' in id
    ? run(selectProof.public, { id: idBlob(id.publicRfqId) })
    : run(selectProof.secret, { id: idBlob(id.rfqId) })
}

const selectProof = { public: prepareProof('public_rfq_id'), secret: prepareProof('rfq_id') }

function prepareProof(column: 'public_rfq_id' | 'rfq_id') {
  return prepareQuery((on, given: { id: Buffer }) =>
    on
      .selectFrom('auctions')
      .innerJoin('auction_proofs', 'auction_proofs.auction_id', 'auctions.id')
      .selectAll('auction_proofs')
      .where(`auctions.${column}`, '=', given.id),
  )
}

const selectKnown = prepareQuery((on, given: { hash: Buffer }) =>
  on.selectFrom('quotes').select('status').where('hash', '=', given.hash),
)
const selectOwnProof = prepareQuery((on, given: { id: Buffer; maker: Buffer }) =>
  on
    .selectFrom('auctions')
    .innerJoin('auction_proofs as proof', 'proof.auction_id', 'auctions.id')
    .innerJoin('auction_quotes as kept', 'kept.auction_id', 'auctions.id')
    .innerJoin('quotes', 'quotes.hash', 'kept.hash')
    .leftJoin('quote_blocks as judged', (join) =>
      join.onRef('judged.auction_id', '=', 'kept.auction_id').onRef('judged.seq', '=', 'kept.seq'),
    )
    .select([...acceptedQuoteColumns, 'proof.secret', 'judged.block_number', 'judged.block_hash'])
    .where('auctions.public_rfq_id', '=', given.id)
    .where('kept.maker', '=', given.maker),
)
const insertProof = prepareQuery((on, given: { id: Buffer; secret: Buffer; log: number; position: number }) =>
  on
    .insertInto('auction_proofs')
    .columns(['auction_id', 'secret', 'open_log', 'open_position'])
    .expression((query) =>
      query
        .selectFrom('auctions')
        .select(({ val }) => [
          'id',
          val(given.secret).as('secret'),
          val(given.log).as('open_log'),
          val(given.position).as('open_position'),
        ])
        .where('public_rfq_id', '=', given.id),
    ),
)
const updateProof = prepareQuery((on, given: { auction: number; log: number; position: number; record: Buffer }) =>
  on
    .updateTable('auction_proofs')
    .set({ close_log: given.log, close_position: given.position, closing: given.record })
    .where('auction_id', '=', given.auction),
)
const insertBlock = prepareQuery((on, given: { id: Buffer; seq: number; number: number; hash: Buffer }) =>
  on
    .insertInto('quote_blocks')
    .columns(['auction_id', 'seq', 'block_number', 'block_hash'])
    .expression((query) =>
      query
        .selectFrom('auctions')
        .innerJoin('auction_proofs', 'auction_proofs.auction_id', 'auctions.id')
        .select(({ val }) => [
          'auction_id',
          val(given.seq).as('seq'),
          val(given.number).as('block_number'),
          val(given.hash).as('block_hash'),
        ])
        .where('public_rfq_id', '=', given.id),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const selectBlocks = prepareQuery((on, given: { auction: number }) =>
  on.selectFrom('quote_blocks').select(['seq', 'block_number', 'block_hash']).where('auction_id', '=', given.auction),
)
