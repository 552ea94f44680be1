import type { ContractSignature } from '@firmquote/core/chain'
import {
  closeCodes,
  formatChallenge,
  hashBackerAuth,
  parseChallenge,
  type recoverSigner,
} from '@firmquote/core/protocol'
import { ConfigurationError } from '@firmquote/node-runtime/configurationError'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Controls } from './controls/controls.ts'
import { banCloseReason, describeBan, judgeAdmission } from './controls/judgeAdmission.ts'

/** Milliseconds allowed for answering a challenge. */
export const challengeLifetimeMs = 30_000

/** Maximum difference between an answer's timestamp and the server's clock, in milliseconds. */
export const authWindowMs = 60_000

/** A challenge for one socket, valid only there and for a single answer. */
export type Challenge = {
  /** The socket's public URL, from the server's configuration. */
  audience: string
  /** 32 random bytes. */
  nonce: Hex
  /** Unix milliseconds. */
  expiresAt: number
  /** The challenge in wire format. */
  text: string
}

/**
 * Creates a socket's challenge.
 *
 * @param nonce 32 cryptographically secure random bytes.
 * @param now Unix milliseconds.
 * @throws {ConfigurationError} if `audience` is not the URL of a backer socket, because no client would sign it.
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

/** Why authentication failed. */
export type AuthRefusalCode =
  | 'timestamp_out_of_window'
  | 'challenge_expired'
  | 'bad_signature'
  | 'chain_unavailable'
  | 'not_allowed'
  | 'banned'

/** Why a backer may not connect, and the code and reason of the close frame. */
export type AuthRefusal = { closeCode: number; closeReason: string; code: AuthRefusalCode; message: string }

/** The backer's address, or the reason and close code with which the server closes the socket. */
export type AuthVerdict =
  /** `contract` is the signature accepted by the maker's contract; absent if the maker's key signed. */
  { ok: true; address: Address; contract?: ContractSignature } | ({ ok: false } & AuthRefusal)

/** The input of {@link judgeAuth}. */
export type AuthAttempt = {
  /** The challenge as stored by the server, never as sent by the client. */
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
  /** Lower-case addresses. If absent, every backer is allowed. */
  allowList?: ReadonlySet<string>
  controls: Controls
}

/**
 * Judges the answer to a challenge. Checks the timestamp, the challenge's age, the signature, bans and the allow list,
 * in this order: cheap checks first. Only a key's holder learns whether its address is banned or on the list. The caller
 * must invalidate the challenge first.
 *
 * @param recover recovers the signer of a digest.
 * @param askContract returns whether an account's contract accepts a signature that the account's key did not make;
 * null if unknown.
 */
export async function judgeAuth(
  attempt: AuthAttempt,
  recover: typeof recoverSigner,
  askContract: (signature: ContractSignature) => Promise<boolean | null> = async () => false,
): Promise<AuthVerdict> {
  const { challenge, answer, chainId, quoteMarket, now } = attempt
  if (Math.abs(now - answer.timestamp * 1000) > authWindowMs) {
    return refusal('timestamp_out_of_window', 'The timestamp differs from the server clock by more than 60 seconds.')
  }
  if (now > challenge.expiresAt) {
    return refusal('challenge_expired', 'The challenge expired before it was answered; reconnect to get a new one.')
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
      'The node did not report whether the address is a contract that accepts this signature; try again.',
    )
  }
  if (!accepted) {
    return refusal('bad_signature', 'The given address did not sign this challenge.')
  }
  const refused = refuseAdmission(answer.address, attempt)
  if (refused) return { ok: false, ...refused }
  return { ok: true, address: answer.address, ...(contract && { contract }) }
}

/** Why a backer may not connect, or stay connected; null if it may. */
export function refuseAdmission(maker: Address, given: Parameters<typeof judgeAdmission>[1]): AuthRefusal | null {
  const refused = judgeAdmission(maker, given)
  if (refused?.code === 'banned') {
    const { code, ban } = refused
    return { closeCode: closeCodes.banned, closeReason: banCloseReason(ban), code, message: describeBan(ban) }
  }
  return refused && refusalOf(refused.code, 'This address is not on the list of backers that this server allows.')
}

const refusalCloseCodes: Partial<Record<AuthRefusalCode, number>> = {
  not_allowed: closeCodes.notAllowed,
  chain_unavailable: closeCodes.overload,
}

function refusal(code: AuthRefusalCode, message: string): AuthVerdict {
  return { ok: false, ...refusalOf(code, message) }
}

function refusalOf(code: AuthRefusalCode, message: string): AuthRefusal {
  return { closeCode: refusalCloseCodes[code] ?? closeCodes.authFailed, closeReason: code, code, message }
}
