import { hash } from 'node:crypto'
import {
  closeEntry,
  closeLeaf,
  encodeRecord,
  hashSalted,
  openEntry,
  openFlags,
  openLeaf,
  quoteLeaf,
  rootOf,
  selectionVersion,
} from '@firmquote/verify'
import { type Address, bytesToHex, type Hex, zeroAddress, zeroHash } from 'viem'
import {
  type AcceptedQuote,
  type AuctionClose,
  type AuctionRecord,
  type BestChoice,
  chooseBest,
  rankQuotes,
} from './auctionRecord.ts'

/** Number of random bytes in an auction's secret, from which the salts of its transcript are derived. */
export const auctionSecretBytes = 32

/** A leaf of an auction's transcript. `salt` has 16 bytes. */
export type TranscriptLeaf = { salt: Uint8Array; record: Uint8Array }

/** The transcript's first leaf: the RFQ. */
export function openingLeaf({ rfq, backers }: Pick<AuctionRecord, 'rfq' | 'backers'>, secret: Hex): TranscriptLeaf {
  const { maxVrtAmount, taker } = rfq
  const hasLimit = maxVrtAmount === undefined ? 0 : openFlags.maxVrtAmount
  const hasTaker = taker === undefined ? 0 : openFlags.taker
  const record = encodeRecord(openLeaf.kind, openLeaf.layout, {
    poolId: lowerCase(rfq.poolId),
    seriesKey: lowerCase(rfq.seriesKey),
    expiry: BigInt(rfq.expiry),
    notional: rfq.notional,
    minNotional: rfq.minNotional ?? 0n,
    minDeadline: rfq.minDeadline ?? 0n,
    flags: hasLimit | hasTaker,
    maxVrtAmount: maxVrtAmount ?? 0n,
    taker: lowerCase(taker ?? zeroAddress),
    openedAt: BigInt(rfq.openedAt),
    closesAt: BigInt(rfq.closesAt),
    backers,
  })
  return { salt: saltOf(secret, 0), record }
}

/** The leaf of an accepted quote, at the index `seq`. A quote without a block has zeros. */
export function acceptedQuoteLeaf(accepted: AcceptedQuote, secret: Hex): TranscriptLeaf {
  const { seq, quote, arrival, block, unproven } = accepted
  const record = encodeRecord(quoteLeaf.kind, quoteLeaf.layout, {
    seq,
    hash: lowerCase(accepted.hash),
    signature: sha256(quote.signature),
    maker: lowerCase(quote.maker),
    arrival: BigInt(arrival),
    blockNumber: block?.number ?? 0n,
    blockHash: lowerCase(block?.hash ?? zeroHash),
    unproven: unproven ? 1 : 0,
  })
  return { salt: saltOf(secret, seq), record }
}

/** The last record of an auction's transcript, the result, and the choice in it. */
export type Ending = { record: Uint8Array; best: BestChoice }

/**
 * Computes an auction's result. The store keeps its record, since later versions may choose other quotes.
 *
 * @param auction has all quotes.
 */
export function endingOf(auction: AuctionRecord, close: AuctionClose): Ending {
  const { quotes } = auction
  const best = chooseBest(auction)
  const seqs = new Map(quotes.map(({ hash, seq }) => [hash, seq]))
  const record = encodeRecord(closeLeaf.kind, closeLeaf.layout, {
    closedAt: BigInt(close.closedAt),
    rejectedCount: close.rejectedCount,
    interrupted: close.interrupted ? 1 : 0,
    selection: selectionVersion,
    ranking: rankQuotes(quotes).map(({ seq }) => seq),
    best: best.hashes.map((hash) => seqs.get(hash) ?? 0),
    notional: best.notional,
    cost: best.cost,
  })
  return { record, best }
}

/** The leaf of the result, after `count` quotes. */
export function closingLeaf(record: Uint8Array, secret: Hex, count: number): TranscriptLeaf {
  return { salt: saltOf(secret, count + 1), record }
}

/** All leaves of a closed auction, in order. `closing` is the stored record of its {@link Ending}. */
export function transcriptOf(auction: AuctionRecord, secret: Hex, closing: Uint8Array): TranscriptLeaf[] {
  const { quotes } = auction
  return [
    openingLeaf(auction, secret),
    ...quotes.map((quote) => acceptedQuoteLeaf(quote, secret)),
    closingLeaf(closing, secret, quotes.length),
  ]
}

/** The hash of a leaf, which reveals nothing to those who do not know its salt. */
export function hashTranscriptLeaf({ salt, record }: TranscriptLeaf): Uint8Array {
  return hashSalted(salt, record)
}

/** The log entry of an auction's opening. */
export function openingEntry(auction: Pick<AuctionRecord, 'rfq' | 'publicRfqId' | 'backers'>, secret: Hex): Uint8Array {
  const { rfq, publicRfqId } = auction
  return encodeRecord(openEntry.kind, openEntry.layout, {
    publicRfqId: `0x${publicRfqId}`,
    openedAt: BigInt(rfq.openedAt),
    closesAt: BigInt(rfq.closesAt),
    openLeaf: bytesToHex(hashTranscriptLeaf(openingLeaf(auction, secret))),
  })
}

/** The log entry of an auction's close. `leaves` are the transcript's hashes. */
export function closingEntry(
  { publicRfqId }: Pick<AuctionRecord, 'publicRfqId'>,
  { closedAt }: AuctionClose,
  leaves: readonly Uint8Array[],
): Uint8Array {
  return encodeRecord(closeEntry.kind, closeEntry.layout, {
    publicRfqId: `0x${publicRfqId}`,
    closedAt: BigInt(closedAt),
    count: leaves.length,
    root: bytesToHex(rootOf(leaves)),
  })
}

/** The salt of the leaf at `index`: the first 16 bytes of HMAC-SHA256 of the index as 4 bytes, big-endian. */
function saltOf(secret: Hex, index: number): Uint8Array {
  // RFC 2104. `createHmac` makes a key object for each call, which takes several times as long as both hashes.
  // The digests are text, of one character per byte, because a buffer as result takes three times as long.
  const inner = Buffer.allocUnsafe(blockBytes + 4).fill(0x36)
  const outer = Buffer.allocUnsafe(blockBytes + 32).fill(0x5c)
  const key = bytesOf(secret)
  for (let at = 0; at < key.length; at += 1) {
    inner[at] = Number(key[at]) ^ 0x36
    outer[at] = Number(key[at]) ^ 0x5c
  }
  inner.writeUInt32BE(index, blockBytes)
  outer.write(hash('sha256', inner, 'binary'), blockBytes, 'latin1')
  return Buffer.from(hash('sha256', outer, 'binary').slice(0, 16), 'latin1')
}

/** SHA-256's block size. An auction's secret is shorter. */
const blockBytes = 64

function sha256(hex: Hex): Hex {
  return `0x${hash('sha256', bytesOf(hex))}`
}

function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

function lowerCase<Value extends Hex | Address>(value: Value): Value {
  return value.toLowerCase() as Value
}
