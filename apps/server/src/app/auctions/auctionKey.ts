import { createHash } from 'node:crypto'
import type { RFQRequest } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import { bytesToHex, type Hex } from 'viem'
import type { AuctionKey } from '../../ports/store.ts'

/**
 * Hashes a borrower's idempotency key and request. The key grants access to the auction, so only its hash is stored.
 * The request's hash detects a key that is reused for another request; it ignores the order of the fields. It also
 * ignores the proof of taker: the same request with a fresh proof is the same auction, and no part of a proof is
 * stored.
 */
export function hashKey(key: string, request: RFQRequest): AuctionKey {
  const { takerProof: _, ...terms } = request
  const sorted = Object.fromEntries(Object.entries(terms).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { key: sha256(`firmquote-key|${key}`), request: sha256(encodeJson(sorted)) }
}

function sha256(text: string): Hex {
  return bytesToHex(createHash('sha256').update(text).digest())
}
