import type { RFQRequest } from '@firmquote/sdk'
import type { Address } from 'viem'

/** A taker proof, as in an `RFQRequest`. `timestamp` is in Unix seconds. */
export type TakerProof = NonNullable<RFQRequest['takerProof']>

const lifetimeSeconds = 86_400
// Margin before expiry, because an auction opens a moment later and the service's clock may be ahead.
const marginSeconds = 60

// In memory only: the next user of a tab could read its storage, so signatures are not stored there.
const kept = new Map<string, TakerProof>()

/** The expiry of a proof, Unix seconds. */
export function proofEnd({ timestamp }: Pick<TakerProof, 'timestamp'>): number {
  return timestamp + lifetimeSeconds - marginSeconds
}

/** Keeps an account's proof until the page reloads. */
export function saveProof(taker: Address, proof: TakerProof): void {
  kept.set(taker.toLowerCase(), proof)
}

/** Deletes an account's proof after the service rejected it. */
export function deleteProof(taker: Address): void {
  kept.delete(taker.toLowerCase())
}

/**
 * Returns an account's proof unless it has expired.
 *
 * @param now Unix milliseconds.
 */
export function findProof(taker: Address, now: number): TakerProof | null {
  const proof = kept.get(taker.toLowerCase())
  return proof && proofEnd(proof) * 1000 > now ? proof : null
}
