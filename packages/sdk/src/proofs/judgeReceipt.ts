import type { QuoteAckMessage } from '@firmquote/core'
import {
  acceptedLeaf,
  decodeRecord,
  ProofError,
  type Receipt,
  type RecordOf,
  recoverReceipt,
  refusedLeaf,
} from '@firmquote/verify'
import { type Address, type Hex, isAddressEqual } from 'viem'

/** A receipt's promise that the closed auction will have a leaf at index `seq`. */
export type Promised = RecordOf<typeof acceptedLeaf.layout>
/** A receipt's statement that a quote was refused. */
export type Refused = RecordOf<typeof refusedLeaf.layout>

/** A verified receipt. The caller compares `signer` with the log's keys. */
export type VerifiedReceipt =
  | { kind: 'accepted'; signer: Address; mergeBy: number; promise: Promised }
  | { kind: 'refused'; signer: Address; refusal: Refused }

/**
 * Seconds by which a receipt's `mergeBy` may exceed its auction's own. A batch has the latest `mergeBy` of its auctions,
 * so this is more than the duration of an auction.
 */
const batchSeconds = 3_600

/** The sent quote, and the service's verdict, or null if it was lost. */
export type Acknowledged = { rfqId: string; hash: Hex; maker: Address; ack: QuoteAckMessage | null }

/**
 * Verifies a receipt against the quote that was sent and its acknowledgement.
 *
 * @param log the log's origin, the seconds from the close until the log must include the auction, and the current time in
 *   Unix milliseconds: a receipt that was requested again may be of a later batch.
 * @throws {ProofError} if the receipt does not state the acknowledged verdict on this quote.
 */
export async function judgeReceipt(
  receipt: Receipt,
  { rfqId, hash, maker, ack }: Acknowledged,
  { origin, promiseSeconds, now }: { origin: string; promiseSeconds: number; now: number },
): Promise<VerifiedReceipt> {
  if (receipt.log !== origin) throw new ProofError(`The receipt is of the log ${receipt.log}, not of ${origin}.`)
  const { signer, leaf } = await recoverReceipt(receipt)
  const isSame = (record: Promised | Refused) =>
    record.publicRfqId === `0x${rfqId}` && record.hash === hash && isAddressEqual(record.maker, maker)
  if (ack ? ack.status === 'rejected' : leaf[0] === refusedLeaf.kind) {
    const refusal = decodeRecord(refusedLeaf.kind, refusedLeaf.layout, leaf)
    if (!isSame(refusal)) throw new ProofError('The receipt is of another quote.')
    if (ack?.status === 'rejected' && refusal.code !== ack.code)
      throw new ProofError(`The receipt states ${refusal.code}, but the service answered ${ack.code}.`)
    return { kind: 'refused', signer, refusal }
  }
  const promise = decodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, leaf)
  if (!isSame(promise)) throw new ProofError('The receipt is of another quote.')
  if (ack?.status === 'accepted' && promise.receivedAt !== BigInt(ack.receivedAt))
    throw new ProofError('The receipt states another time than the acknowledgement.')
  // A promise without a near end would never be broken.
  const closesAt = ack?.status === 'accepted' ? ack.closesAt : 0
  const latest = Math.ceil(Math.max(closesAt, now) / 1_000) + promiseSeconds + batchSeconds
  if (receipt.mergeBy > latest) throw new ProofError('The receipt promises nothing before a time far after the close.')
  return { kind: 'accepted', signer, mergeBy: receipt.mergeBy, promise }
}
