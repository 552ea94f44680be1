import type { RFQRequest } from '@firmquote/sdk'
import type { Address } from 'viem'

/** A proof that an account asks, as an `RFQRequest` carries it. `timestamp` in Unix seconds. */
export type TakerProof = NonNullable<RFQRequest['takerProof']>

const lifetimeSeconds = 86_400
// An auction is opened with it a moment later, by a clock that may be ahead.
const marginSeconds = 60

// As long as the page lives: a tab's storage may be read by the next user, and holds no signature.
const kept = new Map<string, TakerProof>()

/** Until when a proof counts, Unix seconds. */
export function proofEnd({ timestamp }: Pick<TakerProof, 'timestamp'>): number {
  return timestamp + lifetimeSeconds - marginSeconds
}

/** Keeps an account's proof until the page is loaded anew. */
export function saveProof(taker: Address, proof: TakerProof): void {
  kept.set(taker.toLowerCase(), proof)
}

/** Forgets an account's proof: the service does not take it. */
export function deleteProof(taker: Address): void {
  kept.delete(taker.toLowerCase())
}

/**
 * The proof that is kept of an account, unless it is over.
 *
 * @param now Unix milliseconds.
 */
export function findProof(taker: Address, now: number): TakerProof | null {
  const proof = kept.get(taker.toLowerCase())
  return proof && proofEnd(proof) * 1000 > now ? proof : null
}
