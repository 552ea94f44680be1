import type { RFQRequest } from '@firmquote/sdk'
import type { Address } from 'viem'

/** The taker proof of an `RFQRequest`. `timestamp` is in Unix seconds. */
export type TakerProof = NonNullable<RFQRequest['takerProof']>
/** The account of a proof, and whether the proof lets makers see the account's record. */
export type ProvenTaker = { taker: Address; shareRecord?: boolean | undefined }

const lifetimeSeconds = 86_400
// The auction opens a moment later, and the service's clock may be ahead.
const marginSeconds = 60

// Signatures are kept only in memory, because the tab's next user could read its storage.
const kept = new Map<string, TakerProof>()

function keyOf({ taker, shareRecord = false }: ProvenTaker): string {
  return `${taker.toLowerCase()} ${shareRecord}`
}

/** When a proof stops being used, in Unix seconds: one minute before it expires. */
export function proofEnd({ timestamp }: Pick<TakerProof, 'timestamp'>): number {
  return timestamp + lifetimeSeconds - marginSeconds
}

/** Stores an account's proof until the page reloads. */
export function saveProof(taker: ProvenTaker, proof: TakerProof): void {
  kept.set(keyOf(taker), proof)
}

/** Codes after which an account needs another proof: its proof is invalid, or the proof's quota is used up. */
const proofRefusals: ReadonlySet<string> = new Set(['TAKER_PROOF_INVALID', 'TOO_MANY_OPEN', 'RATE_LIMITED'])

/** Deletes the proof of a refused request if the account needs another one. */
export function deleteRefusedProof(request: Partial<ProvenTaker>, code: string): void {
  const { taker, shareRecord } = request
  if (taker && proofRefusals.has(code)) kept.delete(keyOf({ taker, shareRecord }))
}

/**
 * Returns an account's proof, or null if it has none or the proof is about to expire.
 *
 * @param now Unix milliseconds.
 */
export function findProof(taker: ProvenTaker, now: number): TakerProof | null {
  const proof = kept.get(keyOf(taker))
  return proof && proofEnd(proof) * 1000 > now ? proof : null
}
