import type { Address } from 'viem'
import type { AuctionClose } from '../../../domain/auctionRecord.ts'
import {
  closingEntry,
  closingLeaf,
  type Ending,
  endingOf,
  hashTranscriptLeaf,
  openingEntry,
  openingLeaf,
} from '../../../domain/transcript.ts'
import type {
  AuctionProofRow,
  NewAuction,
  NewClose,
  OpenedAuction,
  ProofStore,
  ProvableAuction,
  Store,
} from '../../../ports/store.ts'
import { closeAuction, findAuction, openAuction } from '../auctions/auctionRows.ts'
import { blobOf, hexOf, idBlob } from '../sql/blobs.ts'
import { pluck, prepareQuery } from '../sql/preparedQuery.ts'
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

/** Closes an auction. If it is provable, appends its close to the log in the same transaction. */
export function* closeProvableAuction(close: NewClose): Script<Awaited<ReturnType<Store['closeAuction']>>> {
  const { publicRfqId } = close
  const [proof] = yield* run(selectProof.public, { id: idBlob(publicRfqId) })
  const closed = yield* closeAuction(close)
  const ended = closed?.auction.close
  if (!proof || proof.close_log !== null || !ended) return closed
  const { closedNow, auction } = closed
  const isWhole = closedNow && auction.quotes.length === 0
  const { record, best } = (isWhole && close.ending) || (yield* computeEnding(publicRfqId, ended))
  const secret = hexOf(proof.secret)
  const quotes = yield* run(selectLeaves, { auction: proof.auction_id })
  const leaves = [
    hashTranscriptLeaf(openingLeaf(auction, secret)),
    ...quotes,
    hashTranscriptLeaf(closingLeaf(record, secret, quotes.length)),
  ]
  const place = yield* appendEntry(closingEntry(auction, ended, leaves))
  yield* run(updateProof, { auction: proof.auction_id, ...place, record: Buffer.from(record) })
  return { closedNow, auction: { ...auction, best } }
}

function* computeEnding(publicRfqId: NewClose['publicRfqId'], close: AuctionClose): Script<Ending> {
  const whole = yield* findAuction({ publicRfqId })
  if (!whole) throw new TypeError('A closed auction has no row.')
  return endingOf(whole, close)
}

/** Finds a provable auction with all its quotes. */
export function* findProvableAuction(id: Parameters<ProofStore['findAuction']>[0]): Script<ProvableAuction | null> {
  const [proof] = yield* selectProofOf(id)
  const auction = proof && (yield* findAuction(id))
  if (!auction) return null
  const { close_log: log, close_position: position, closing: record } = proof
  return {
    auction,
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

/** A maker's quote in a provable auction, and its leaf. */
export function* findLeaf(publicRfqId: string, maker: Address): Script<Awaited<ReturnType<ProofStore['findLeaf']>>> {
  const [row] = yield* run(selectLeaf, { id: idBlob(publicRfqId), maker: blobOf(maker) })
  return row?.leaf ? { quote: hexOf(row.hash), leaf: { seq: row.seq, hash: hexOf(row.leaf) } } : null
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

const selectLeaves = pluck(
  prepareQuery((on, given: { auction: number }) =>
    on
      .selectFrom('auction_quotes')
      .select('leaf')
      .where('auction_id', '=', given.auction)
      .orderBy('seq')
      .$narrowType<{ leaf: Buffer }>(),
  ),
)
const selectLeaf = prepareQuery((on, given: { id: Buffer; maker: Buffer }) =>
  on
    .selectFrom('auctions')
    .innerJoin('auction_quotes as kept', 'kept.auction_id', 'auctions.id')
    .select(['kept.hash', 'kept.seq', 'kept.leaf'])
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
