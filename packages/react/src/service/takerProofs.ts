import type { RFQRequest } from '@firmquote/sdk'
import type { Address } from 'viem'

/** The taker proof of an `RFQRequest`. `timestamp` is in Unix seconds. */
export type TakerProof = NonNullable<RFQRequest['takerProof']>

const lifetimeSeconds = 86_400
// The auction opens a moment later, and the service's clock may be ahead.
const marginSeconds = 60

// Signatures are kept only in memory, because the tab's next user could read its storage.
const kept = new Map<string, TakerProof>()

/** When a proof stops being used, in Unix seconds: one minute before it expires. */
export function proofEnd({ timestamp }: Pick<TakerProof, 'timestamp'>): number {
  return timestamp + lifetimeSeconds - marginSeconds
}

/** Stores an account's proof until the page reloads. */
export function saveProof(taker: Address, proof: TakerProof): void {
  kept.set(taker.toLowerCase(), proof)
}

/** Deletes an account's proof after the service has rejected it. */
export function deleteProof(taker: Address): void {
  kept.delete(taker.toLowerCase())
}

/**
 * Returns an account's proof, or null if it has none or the proof is about to expire.
 *
 * @param now Unix milliseconds.
 */
export function findProof(taker: Address, now: number): TakerProof | null {
  const proof = kept.get(taker.toLowerCase())
  return proof && proofEnd(proof) * 1000 > now ? proof : null
}
