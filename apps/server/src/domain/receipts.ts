import type { BlockRef, Code, PublicRfqId, Receipt } from '@firmquote/core'
import { acceptedLeaf, buildBatch, encodeRecord, hashReceipt, hashSalted, refusedLeaf } from '@firmquote/verify'
import { type Address, bytesToHex, type Hex } from 'viem'

/** Seconds after an auction's close within which the log must contain it. */
export const promiseSeconds = 60

/**
 * Milliseconds after an auction's end from which checkpoints wait for its close. With {@link maxAnswerSeconds}, no
 * witness then signs a checkpoint without the close at or after the promise's time.
 */
export const holdAfterMs = 30_000

/**
 * Whether checkpoints must wait. During and after an outage, auctions may be overdue. Their promises hold until a
 * witness has signed a later checkpoint without their closes, so the service must not ask for such a signature.
 *
 * @param oldestEnd when the open auction with the earliest end ends, or null. Like `now`, in Unix milliseconds.
 */
export function mustHold(oldestEnd: number | null, now: number): boolean {
  return oldestEnd !== null && now - oldestEnd >= holdAfterMs
}

/** Bytes of a receipt's salt. */
const saltBytes = 16

/** The content of one receipt. `record` is encoded. `dueAt` is when the auction closes, in Unix milliseconds. */
export type Claim = { record: Uint8Array; dueAt: number }

/** A batch to be signed: the digest to sign, and the receipts with its signature, in the order of the claims. */
export type ReceiptBatch = { digest: Hex; receipts(signature: Hex): Receipt[] }

/**
 * Creates a batch. One signature covers all claims, so the latest of their times applies to each.
 *
 * @param claims 1 to 65,536 claims.
 * @param random Returns this many random bytes.
 */
export function createReceiptBatch(
  claims: readonly Claim[],
  { log, random }: { log: string; random: (bytes: number) => Uint8Array },
): ReceiptBatch {
  const bytes = random(claims.length * saltBytes)
  const salts = claims.map((_, index) => bytes.subarray(index * saltBytes, (index + 1) * saltBytes))
  const leaves = claims.map(({ record }, index) => hashSalted(salts[index] as Uint8Array, record))
  const { root, paths } = buildBatch(leaves)
  const latest = claims.reduce((time, { dueAt }) => Math.max(time, dueAt), 0)
  const mergeBy = Math.ceil(latest / 1_000) + promiseSeconds
  return {
    digest: hashReceipt({ log, batchRoot: bytesToHex(root), mergeBy }),
    receipts: (signature) =>
      claims.map(({ record }, index) => ({
        ...{ log, mergeBy, signature, index },
        path: (paths[index] ?? []).map(base64),
        salt: base64(salts[index] as Uint8Array),
        leaf: base64(record),
      })),
  }
}

/** Encodes the promise that a transcript will have the hash `leaf` at index `seq`. `receivedAt` is in Unix milliseconds. */
export function acceptedRecord(promise: {
  publicRfqId: PublicRfqId
  hash: Hex
  maker: Address
  receivedAt: number
  seq: number
  leaf: Hex
}): Uint8Array {
  const { publicRfqId, hash, maker, receivedAt, seq, leaf } = promise
  return encodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, {
    ...{ publicRfqId: `0x${publicRfqId}`, hash, maker: lowerCase(maker), receivedAt: BigInt(receivedAt), seq, leaf },
  })
}

/** Encodes the statement that a quote was refused. `at` is in Unix milliseconds; `block` is the judgement's, if any. */
export function refusedRecord(statement: {
  publicRfqId: PublicRfqId
  hash: Hex
  maker: Address
  at: number
  code: string
  block: Pick<BlockRef, 'number' | 'hash'> | undefined
}): Uint8Array {
  const { publicRfqId, hash, maker, at, code, block } = statement
  return encodeRecord(refusedLeaf.kind, refusedLeaf.layout, {
    ...{ publicRfqId: `0x${publicRfqId}`, hash, maker: lowerCase(maker), at: BigInt(Math.floor(at)), code },
    ...{ blockNumber: block?.number ?? 0n, blockHash: block?.hash ?? noHash },
  })
}

/**
 * Whether a refusal has a receipt. A quote whose outcome is unknown may be stored, so it must not be called refused.
 * Refusals that a backer can cause at will have none: rate limits and attempts beyond the third.
 */
export function hasReceipt(rejection: { code: Code; hash?: Hex | null }): boolean {
  if (rejection.code === 'ALREADY_QUOTED') return Boolean(rejection.hash)
  return rejection.code !== 'OUTCOME_UNKNOWN' && rejection.code !== 'RATE_LIMITED'
}

const noHash: Hex = `0x${'00'.repeat(32)}`

function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
