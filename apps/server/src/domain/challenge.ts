import { closeCodes, formatChallenge, hashBackerAuth, parseChallenge, type recoverSigner } from '@firmquote/core'
import type { ContractSignature } from '@firmquote/core/chain'
import { ConfigurationError } from '@firmquote/node-runtime/configurationError'
import { type Address, type Hex, isAddressEqual } from 'viem'

/** How long a challenge can be answered, in milliseconds. */
export const challengeLifetimeMs = 30_000

/** How far the timestamp of an answer may be from the server's clock, in milliseconds. */
export const authWindowMs = 60_000

/** The challenge of one socket. It is valid on that socket only, for one answer. */
export type Challenge = {
  /** The public URL of the socket, from the server's configuration. */
  audience: string
  /** 32 random bytes. */
  nonce: Hex
  /** Unix milliseconds. */
  expiresAt: number
  /** The challenge as it is sent. */
  text: string
}

/**
 * Creates the challenge of one socket.
 *
 * @param nonce 32 bytes from a cryptographic source.
 * @param now Unix milliseconds.
 * @throws {ConfigurationError} when `audience` is not the URL of a backer socket, so that no client would sign it.
 */
export function createChallenge({ audience, nonce, now }: { audience: string; nonce: Hex; now: number }): Challenge {
  const text = formatChallenge({ audience, nonce })
  if (parseChallenge(text) === null) {
    throw new ConfigurationError(
      `The public socket address ${JSON.stringify(audience)} must look like wss://rfq.example.com/ws/rfq; set PUBLIC_WS_URL.`,
    )
  }
  return { audience, nonce, expiresAt: now + challengeLifetimeMs, text }
}

/** Why an authentication failed. */
export type AuthRefusalCode =
  | 'timestamp_out_of_window'
  | 'challenge_expired'
  | 'bad_signature'
  | 'chain_unavailable'
  | 'not_allowed'

/** The address of the backer, or why its socket is closed and with which code. */
export type AuthVerdict =
  /** `contract` is the signature that the maker's contract accepts, where it is not by the maker's key. */
  | { ok: true; address: Address; contract?: ContractSignature }
  | { ok: false; closeCode: number; code: AuthRefusalCode; message: string }

/** All that the verdict on an answer depends on. */
export type AuthAttempt = {
  /** The server's copy, never the client's. */
  challenge: Pick<Challenge, 'audience' | 'nonce' | 'expiresAt'>
  answer: {
    address: Address
    /** Unix seconds. */
    timestamp: number
    signature: Hex
  }
  chainId: number
  quoteMarket: Address
  /** Unix milliseconds. */
  now: number
  /** Lower-case addresses; absent allows every backer. */
  allowList?: ReadonlySet<string>
}

/**
 * Judges the answer to a challenge: timestamp, age of the challenge, signature, allow list, in this order. The cheap checks
 * come first, and only the holder of a key can find out whether its address is on the allow list. The caller invalidates
 * the challenge before the call.
 *
 * @param recover recovers the signer of a digest.
 * @param askContract says whether an account's contract accepts a signature that is not by its key; null when it is not known.
 */
export async function judgeAuth(
  attempt: AuthAttempt,
  recover: typeof recoverSigner,
  askContract: (signature: ContractSignature) => Promise<boolean | null> = async () => false,
): Promise<AuthVerdict> {
  const { challenge, answer, chainId, quoteMarket, now, allowList } = attempt
  if (Math.abs(now - answer.timestamp * 1000) > authWindowMs) {
    return refusal('timestamp_out_of_window', 'The timestamp is more than 60 seconds away from the server clock.')
  }
  if (now > challenge.expiresAt) {
    return refusal('challenge_expired', 'The challenge was answered too late; connect again for a fresh one.')
  }
  const digest = hashBackerAuth({
    backer: answer.address,
    audience: challenge.audience,
    quoteMarket,
    nonce: challenge.nonce,
    chainId,
    timestamp: answer.timestamp,
  })
  const { signer } = await recover(digest, answer.signature)
  const isKey = signer !== undefined && isAddressEqual(signer, answer.address)
  const contract = isKey ? null : { account: answer.address, digest, signature: answer.signature }
  const accepted = contract === null || (await askContract(contract))
  if (accepted === null) {
    return refusal(
      'chain_unavailable',
      'The chain could not be asked whether the address is a contract that signed this.',
    )
  }
  if (!accepted) {
    return refusal('bad_signature', 'The signature is not that of the given address over this challenge.')
  }
  if (allowList !== undefined && !allowList.has(answer.address.toLowerCase())) {
    return refusal('not_allowed', 'This address is not on the list of backers of this server.')
  }
  return { ok: true, address: answer.address, ...(contract && { contract }) }
}

const refusalCloseCodes: Partial<Record<AuthRefusalCode, number>> = {
  not_allowed: closeCodes.notAllowed,
  chain_unavailable: closeCodes.overload,
}

function refusal(code: AuthRefusalCode, message: string): AuthVerdict {
  const closeCode = refusalCloseCodes[code] ?? closeCodes.authFailed
  return { ok: false, closeCode, code, message }
}
