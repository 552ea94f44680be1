import { type PublicRfqId, type QuoteDomain, type RfqId, serializeSignedQuote } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import {
  formatLogProof,
  formatProof,
  type HashReader,
  hashLeaf,
  inclusionPath,
  type Opening,
  type ProvenEntry,
  rootOfInclusion,
} from '@firmquote/verify'
import { LRUCache } from 'lru-cache'
import { type Address, isAddressEqual } from 'viem'
import type { AuctionClose, AuctionRecord } from '../../domain/auctionRecord.ts'
import {
  closingEntry,
  hashTranscriptLeaf,
  openingEntry,
  type TranscriptLeaf,
  transcriptOf,
} from '../../domain/transcript.ts'
import type { LogPosition, ProofStore, ProvableAuction } from '../../ports/store.ts'
import type { Outcome } from '../outcome.ts'
import { readLogHashes } from './logHashes.ts'
import type { ProofLog, PublishedCheckpoint } from './proofLog.ts'

/** Why there is no proof. */
export type NoProof =
  | { code: 'RFQ_NOT_FOUND' | 'QUOTE_NOT_FOUND' }
  | { code: 'PROOF_NOT_READY'; retryAfterSeconds: number }

/** An auction's indices in the log, null until a checkpoint has them, and its leaf hashes in base64 after the close. */
export type AuctionLeaves = { publicRfqId: PublicRfqId; open: number | null; close: number | null; hashes: string[] }

/** Proofs of closed auctions. */
export type AuctionProofs = {
  /** The text of the borrower's proof file. */
  auction(rfqId: RfqId): Promise<Outcome<string, NoProof>>
  /** The text of a maker's proof file. */
  quote(publicRfqId: PublicRfqId, maker: Address): Promise<Outcome<string, NoProof>>
  /** Null if the auction is unknown, or not provable. */
  leaves(publicRfqId: PublicRfqId): Promise<AuctionLeaves | null>
}

/** Capacity of the cache of closed auctions' hashes, which all their makers read at about the same time. */
const maxKnown = 200

/**
 * Creates the reader of proofs. It compares what the rows prove with the log, so that a changed row yields an error instead
 * of a proof.
 */
export function createAuctionProofs({
  store,
  proofLog,
  domain,
  clock,
}: {
  store: ProofStore
  proofLog: Pick<ProofLog, 'id' | 'newest'> & {
    /** The newest checkpoint that a witness signed. */
    cosigned(): PublishedCheckpoint | null
  }
  domain: QuoteDomain
  clock: Pick<Clock, 'now'>
}): AuctionProofs {
  const known = new LRUCache<PublicRfqId, AuctionLeaves>({ max: maxKnown })

  const isCovered = ({ log, position }: LogPosition, checkpoint: PublishedCheckpoint | null) =>
    checkpoint !== null && log === proofLog.id && position < checkpoint.size

  /** A closed auction that a checkpoint has, with its transcript. */
  const findClosed = async (id: Parameters<ProofStore['findAuction']>[0]): Promise<Outcome<ClosedAuction, NoProof>> => {
    const found = await store.findAuction(id)
    if (!found) return { ok: false, rejection: { code: 'RFQ_NOT_FOUND' } }
    const { auction, close } = found
    const newest = proofLog.newest()
    const cosigned = proofLog.cosigned()
    // Witnesses sign within a second, so the newest checkpoint may have no witness yet.
    const checkpoint = close && isCovered(close, cosigned) ? cosigned : newest
    if (!checkpoint || !close || !auction.close || !isCovered(close, checkpoint)) {
      const leftMs = close ? 0 : auction.rfq.closesAt - clock.now()
      // A checkpoint follows within a second or two.
      const retryAfterSeconds = Math.max(0, Math.ceil(leftMs / 1_000)) + 2
      return { ok: false, rejection: { code: 'PROOF_NOT_READY', retryAfterSeconds } }
    }
    const leaves = transcriptOf(auction, found.secret, close.record)
    const hashes = leaves.map(hashTranscriptLeaf)
    const closed = { ...auction, close: auction.close }
    return { ok: true, value: { ...found, auction: closed, close, checkpoint, leaves, hashes } }
  }

  /** Proves an entry, which must be the expected one. */
  const prove = async (
    hashes: HashReader,
    { log, position }: LogPosition,
    expected: Uint8Array,
    { size, root, note }: PublishedCheckpoint,
  ): Promise<ProvenEntry> => {
    const [entry] = await store.listEntries(log, position, position + 1)
    const path = await hashes.inclusionPath(position, size)
    const isSame = entry && Buffer.from(entry).equals(expected)
    const isIncluded = Buffer.from(rootOfInclusion(hashLeaf(expected), position, size, path)).equals(root)
    if (!isSame || !isIncluded) throw new TypeError(`The rows do not match the log's entry ${position}.`)
    return { record: base64(expected), proof: formatLogProof({ index: position, path, checkpoint: note }) }
  }

  const readerOf = ({ size }: PublishedCheckpoint): HashReader => readLogHashes(store, proofLog.id, size)

  return {
    async auction(rfqId) {
      const closed = await findClosed({ rfqId })
      if (!closed.ok) return closed
      const { auction, secret, open, close, checkpoint, leaves, hashes } = closed.value
      const reader = readerOf(checkpoint)
      const text = formatProof({
        type: 'auction',
        keys: checkpoint.keys,
        market: { chainId: domain.chainId, quoteMarket: lowerCase(domain.quoteMarket) },
        open: await prove(reader, open, openingEntry(auction, secret), checkpoint),
        close: await prove(reader, close, closingEntry(auction, auction.close, hashes), checkpoint),
        leaves: leaves.map(openingOf),
        quotes: auction.quotes.map(({ quote }) => {
          const serialized = serializeSignedQuote(quote)
          return { ...serialized, maker: lowerCase(serialized.maker), taker: lowerCase(serialized.taker) }
        }),
      })
      return { ok: true, value: text }
    },

    async quote(publicRfqId, maker) {
      const closed = await findClosed({ publicRfqId })
      if (!closed.ok) return closed
      const { auction, close, checkpoint, leaves, hashes } = closed.value
      const own = auction.quotes.find(({ quote }) => isAddressEqual(quote.maker, maker))
      const leaf = own && leaves[own.seq]
      if (!leaf) return { ok: false, rejection: { code: 'QUOTE_NOT_FOUND' } }
      const text = formatProof({
        type: 'quote',
        keys: checkpoint.keys,
        close: await prove(readerOf(checkpoint), close, closingEntry(auction, auction.close, hashes), checkpoint),
        opening: openingOf(leaf),
        index: own.seq,
        path: inclusionPath(hashes, own.seq).map(base64),
      })
      return { ok: true, value: text }
    },

    async leaves(publicRfqId) {
      const cached = known.get(publicRfqId)
      if (cached) return cached
      const closed = await findClosed({ publicRfqId })
      if (closed.ok) {
        const { open, close, hashes } = closed.value
        const leaves = { publicRfqId, open: open.position, close: close.position, hashes: hashes.map(base64) }
        known.set(publicRfqId, leaves)
        return leaves
      }
      const found = await store.findAuction({ publicRfqId })
      if (!found) return null
      const open = isCovered(found.open, proofLog.newest()) ? found.open.position : null
      return { publicRfqId, open, close: null, hashes: [] }
    },
  }
}

type ClosedAuction = ProvableAuction & {
  auction: AuctionRecord & { close: AuctionClose }
  close: NonNullable<ProvableAuction['close']>
  checkpoint: PublishedCheckpoint
  leaves: readonly TranscriptLeaf[]
  hashes: readonly Uint8Array[]
}

function openingOf({ salt, record }: TranscriptLeaf): Opening {
  return { salt: base64(salt), record: base64(record) }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function lowerCase<Value extends Address>(value: Value): Value {
  return value.toLowerCase() as Value
}
