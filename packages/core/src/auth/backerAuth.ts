// Why: docs/decisions/0022-backer-authentication.md
import { type Address, type Hex, hashTypedData } from 'viem'

/** How far a client's clock may be from the challenge it signs, in seconds. */
export const authClockToleranceSeconds = 300

/** What a backer signs to open a session: an EIP-712 domain without a contract, so that no quote verifier accepts it. */
export const backerAuthTypes = {
  BackerAuth: [
    { name: 'backer', type: 'address' },
    { name: 'audience', type: 'string' },
    { name: 'quoteMarket', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'timestamp', type: 'uint64' },
    { name: 'purpose', type: 'string' },
  ],
} as const

/** What is signed for, in words that a wallet shows. */
export const backerAuthPurpose = 'Authenticate backer connection. This is not a quote and moves no funds.'
const challengePattern =
  /^firmquote-auth\|1\|(wss?:\/\/(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]+\])(?::\d{1,5})?\/ws\/rfq)\|([0-9a-f]{64})$/

/** The parts of a challenge. */
export type BackerChallenge = {
  /** The public URL of the socket that sends the challenge. */
  audience: string
  /** 32 random bytes, single use. */
  nonce: Hex
}

/** Formats a challenge for the wire: `firmquote-auth|1|<audience>|<64 hex>`. */
export function formatChallenge({ audience, nonce }: BackerChallenge): string {
  return `firmquote-auth|1|${audience}|${nonce.slice(2)}`
}

/** Parses a challenge; null for anything that is not one. */
export function parseChallenge(challenge: string): BackerChallenge | null {
  const match = typeof challenge === 'string' ? challengePattern.exec(challenge) : null
  return match?.[1] && match[2] ? { audience: match[1], nonce: `0x${match[2]}` } : null
}

/** What a backer proves: that it holds the key of `backer`, to this audience, for this market, now. */
export type BackerAuth = BackerChallenge & {
  backer: Address
  chainId: number
  quoteMarket: Address
  /** Unix seconds. */
  timestamp: number
}

/** The EIP-712 domain of what a backer signs: without a contract. */
export function backerAuthDomain(chainId: number) {
  return { name: 'Firmquote Backer Auth', version: '1', chainId } as const
}

/** Everything that `signTypedData` needs to sign a challenge (EIP-712). */
export function backerAuthTypedData(auth: BackerAuth) {
  return {
    domain: backerAuthDomain(auth.chainId),
    types: backerAuthTypes,
    primaryType: 'BackerAuth',
    message: {
      backer: auth.backer,
      audience: auth.audience,
      quoteMarket: auth.quoteMarket,
      nonce: auth.nonce,
      timestamp: BigInt(auth.timestamp),
      purpose: backerAuthPurpose,
    },
  } as const
}

/** The EIP-712 digest of a challenge's answer. */
export function hashBackerAuth(auth: BackerAuth): Hex {
  return hashTypedData(backerAuthTypedData(auth))
}
