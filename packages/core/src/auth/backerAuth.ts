// Why: docs/decisions/0022-backer-authentication.md
import { type Address, type Hex, hashTypedData } from 'viem'

/** Maximum difference between a client's clock and the challenge's timestamp, in seconds. */
export const authClockToleranceSeconds = 300

/**
 * EIP-712 types of a backer's login. The signing domain names no contract, so no quote verifier accepts the signature.
 */
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

/** The signature's purpose, which wallets display. */
export const backerAuthPurpose = 'Authenticate backer connection. This is not a quote and moves no funds.'
const challengePattern =
  /^firmquote-auth\|1\|(wss?:\/\/(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]+\])(?::\d{1,5})?\/ws\/rfq)\|([0-9a-f]{64})$/

/** The parts of a challenge. */
export type BackerChallenge = {
  /** The public URL of the socket that sent the challenge. */
  audience: string
  /** 32 random bytes, used only once. */
  nonce: Hex
}

/** Formats a challenge as it is sent over the wire: `firmquote-auth|1|<audience>|<64 hex>`. */
export function formatChallenge({ audience, nonce }: BackerChallenge): string {
  return `firmquote-auth|1|${audience}|${nonce.slice(2)}`
}

/** Parses a challenge. Returns null if the text is malformed. */
export function parseChallenge(challenge: string): BackerChallenge | null {
  const match = typeof challenge === 'string' ? challengePattern.exec(challenge) : null
  return match?.[1] && match[2] ? { audience: match[1], nonce: `0x${match[2]}` } : null
}

/**
 * A backer's login. The signature proves to this audience that the signer holds `backer`'s key, for this market and at
 * this time.
 */
export type BackerAuth = BackerChallenge & {
  backer: Address
  chainId: number
  quoteMarket: Address
  /** Unix seconds. */
  timestamp: number
}

/** The EIP-712 domain of a backer's login. It has no contract. */
export function backerAuthDomain(chainId: number) {
  return { name: 'Firmquote Backer Auth', version: '1', chainId } as const
}

/** `signTypedData` arguments for a challenge (EIP-712). */
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

/** The EIP-712 digest of the answer to a challenge. */
export function hashBackerAuth(auth: BackerAuth): Hex {
  return hashTypedData(backerAuthTypedData(auth))
}
