import type { RFQRequest } from '@firmquote/sdk'
import type { Address } from 'viem'
import type { BrowserStorage } from './browserStorage.ts'

/** A proof that an account asks, as an `RFQRequest` carries it. `timestamp` in Unix seconds. */
export type TakerProof = NonNullable<RFQRequest['takerProof']>

const lifetimeSeconds = 86_400
// An auction is opened with it a moment later, by a clock that may be ahead.
const marginSeconds = 60

/** Until when a proof counts, Unix seconds. */
export function proofEnd({ timestamp }: TakerProof): number {
  return timestamp + lifetimeSeconds - marginSeconds
}

/** Keeps an account's proof for as long as the tab lives. */
export function keepProof(storage: BrowserStorage, taker: Address, { timestamp, signature }: TakerProof): void {
  storage.setItem(keyOf(taker), JSON.stringify({ timestamp, signature }))
}

/** Forgets an account's proof: the service does not take it. */
export function forgetProof(storage: BrowserStorage, taker: Address): void {
  storage.removeItem(keyOf(taker))
}

/**
 * The proof that is kept of an account, unless it is over. What cannot be read is none.
 *
 * @param now Unix milliseconds.
 */
export function findProof(storage: BrowserStorage, taker: Address, now: number): TakerProof | null {
  try {
    const proof = decode(JSON.parse(storage.getItem(keyOf(taker)) ?? 'null'))
    return proof && proofEnd(proof) * 1000 > now ? proof : null
  } catch {
    return null
  }
}

function decode(value: unknown): TakerProof | null {
  if (typeof value !== 'object' || value === null) return null
  const { timestamp, signature } = value as { [Key in keyof TakerProof]: unknown }
  const isSound = Number.isSafeInteger(timestamp) && typeof signature === 'string' && /^0x[0-9a-f]*$/i.test(signature)
  return isSound ? ({ timestamp, signature } as TakerProof) : null
}

function keyOf(taker: Address): string {
  return `firmquote.takerProof.${taker.toLowerCase()}`
}
