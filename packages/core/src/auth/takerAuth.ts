// Why: docs/decisions/0029-proof-of-taker.md
import { type Address, type Hex, hashTypedData } from 'viem'

/** How long a taker proof is valid, in seconds. */
export const takerProofLifetimeSeconds = 86_400
/** How far a proof's timestamp may be ahead of the service's clock, in seconds. */
export const takerProofAheadSeconds = 60

/** EIP-712 types of a taker proof. The signing domain names no contract, so the signature is never valid as a quote. */
export const takerAuthTypes = {
  TakerAuth: [
    { name: 'taker', type: 'address' },
    { name: 'audience', type: 'string' },
    { name: 'quoteMarket', type: 'address' },
    { name: 'timestamp', type: 'uint64' },
    { name: 'purpose', type: 'string' },
  ],
} as const

/** The signature's purpose, which wallets display. */
export const takerAuthPurpose =
  'Prove the taker of requests for quotes for 24 hours. This is not a quote and moves no funds.'

/** The purpose of a signature that also lets the service share the taker's record. */
export const takerRecordPurpose =
  'Prove the taker of requests for quotes for 24 hours, and share its record with makers. This is not a quote and moves no funds.'

/**
 * A taker's confirmation that requests made in its name, to this audience and for this market, are its own. The proof
 * is valid for one day from `timestamp`.
 */
export type TakerAuth = {
  taker: Address
  /** The service's public origin: `https://rfq.example.com`. */
  audience: string
  chainId: number
  quoteMarket: Address
  /** Unix seconds. */
  timestamp: number
  /** Whether the requests share the taker's record. A proof is valid only with the same `shareRecord`. Default: false. */
  shareRecord?: boolean | undefined
}

/** The EIP-712 domain of a taker proof. It has no contract. */
export function takerAuthDomain(chainId: number) {
  return { name: 'Firmquote Taker Auth', version: '1', chainId } as const
}

/** `signTypedData` arguments for a taker proof (EIP-712). */
export function takerAuthTypedData(auth: TakerAuth) {
  return {
    domain: takerAuthDomain(auth.chainId),
    types: takerAuthTypes,
    primaryType: 'TakerAuth',
    message: {
      taker: auth.taker,
      audience: auth.audience,
      quoteMarket: auth.quoteMarket,
      timestamp: BigInt(auth.timestamp),
      purpose: auth.shareRecord === true ? takerRecordPurpose : takerAuthPurpose,
    },
  } as const
}

/** The EIP-712 digest of a taker proof. */
export function hashTakerAuth(auth: TakerAuth): Hex {
  return hashTypedData(takerAuthTypedData(auth))
}

/** Returns whether a proof signed at `timestamp` is valid at `now`. Both are Unix seconds. */
export function isTakerProofCurrent(timestamp: number, now: number): boolean {
  return timestamp <= now + takerProofAheadSeconds && now <= timestamp + takerProofLifetimeSeconds
}

/**
 * Returns the audience of a service's taker proofs: the HTTP origin of its backer socket's public URL.
 *
 * @param socketUrl `wss://rfq.example.com/ws/rfq` yields `https://rfq.example.com`.
 */
export function takerAudience(socketUrl: string): string {
  const url = new URL(socketUrl)
  return `${url.protocol === 'wss:' ? 'https' : 'http'}://${url.host}`
}
