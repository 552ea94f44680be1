// Why: docs/decisions/0029-proof-of-taker.md
import { type Address, type Hex, hashTypedData } from 'viem'

/** How long a proof of taker is valid, in seconds. */
export const takerProofLifetimeSeconds = 86_400
/** How far ahead of the service's clock a proof's timestamp may be, in seconds. */
export const takerProofAheadSeconds = 60

/** What a taker signs to prove that a request is its own: an EIP-712 domain without a contract, so that it is no quote. */
export const takerAuthTypes = {
  TakerAuth: [
    { name: 'taker', type: 'address' },
    { name: 'audience', type: 'string' },
    { name: 'quoteMarket', type: 'address' },
    { name: 'timestamp', type: 'uint64' },
    { name: 'purpose', type: 'string' },
  ],
} as const

/** What is signed for, in words that a wallet shows. */
export const takerAuthPurpose =
  'Prove the taker of requests for quotes for 24 hours. This is not a quote and moves no funds.'

/** What a taker proves: that it asks this audience, for this market, for a day from `timestamp` on. */
export type TakerAuth = {
  taker: Address
  /** The service's public origin: `https://rfq.example.com`. */
  audience: string
  chainId: number
  quoteMarket: Address
  /** Unix seconds. */
  timestamp: number
}

/** The EIP-712 domain of a proof of taker: without a contract. */
export function takerAuthDomain(chainId: number) {
  return { name: 'Firmquote Taker Auth', version: '1', chainId } as const
}

/** Everything that `signTypedData` needs to sign a proof of taker (EIP-712). */
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
      purpose: takerAuthPurpose,
    },
  } as const
}

/** The EIP-712 digest of a proof of taker. */
export function hashTakerAuth(auth: TakerAuth): Hex {
  return hashTypedData(takerAuthTypedData(auth))
}

/** Whether a proof that was signed at `timestamp` is valid at `now`, both Unix seconds. */
export function isTakerProofCurrent(timestamp: number, now: number): boolean {
  return timestamp <= now + takerProofAheadSeconds && now <= timestamp + takerProofLifetimeSeconds
}

/**
 * The audience of a service's proofs: the origin of its backer socket's public URL, as HTTP.
 *
 * @param socketUrl `wss://rfq.example.com/ws/rfq` gives `https://rfq.example.com`.
 */
export function takerAudience(socketUrl: string): string {
  const url = new URL(socketUrl)
  return `${url.protocol === 'wss:' ? 'https' : 'http'}://${url.host}`
}
