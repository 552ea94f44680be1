import { createHash } from 'node:crypto'
import type { RFQRequest } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import { bytesToHex, type Hex } from 'viem'
import type { AuctionKey } from '../../ports/store.ts'

/**
 * Hashes what a borrower has sent: the key, which opens the auction to who has it and is kept nowhere, and the request, to
 * tell whether the key was used for another one. The order of the request's fields does not matter. A proof of taker is not
 * part of it: the same request with a fresh one is the same auction, and nothing of a proof is kept.
 */
export function hashKey(key: string, request: RFQRequest): AuctionKey {
  const { takerProof: _, ...terms } = request
  const sorted = Object.fromEntries(Object.entries(terms).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { key: sha256(`firmquote-key|${key}`), request: sha256(encodeJson(sorted)) }
}

function sha256(text: string): Hex {
  return bytesToHex(createHash('sha256').update(text).digest())
}
