import type { AuthChallengeMessage, AuthMessage } from '@firmquote/core'
import { parseChallenge } from '@firmquote/core/protocol'
import { type Address, isAddressEqual } from 'viem'
import { marketRemedy } from '../compareMarkets.ts'
import { AuthenticationError, SignerError } from '../errors.ts'
import { audienceRemedy } from './audienceRemedy.ts'
import type { BackerSigner } from './backerSigner.ts'
import { isSafeUrl } from './isSafeUrl.ts'

/** Conditions that a challenge must meet to be signed. */
export type ChallengeRules = {
  signer: BackerSigner
  /** The URL of the connection. */
  url: string
  /** The audience that the challenge must name. Behind a load balancer, the audience differs from the URL. */
  audience: string
  chainId: number
  quoteMarketAddress: Address
}

/**
 * Signs a challenge, but only if it is meant for this client. Otherwise, a service could relay another service's
 * challenge and authenticate there as this backer.
 *
 * @throws {AuthenticationError} if nothing was signed, with `reason` `audience_mismatch`, `invalid_challenge`,
 * `timestamp_out_of_window` or `signing_failed`.
 */
export async function answerChallenge(
  { challenge, chainId, quoteMarket, serverTime }: AuthChallengeMessage,
  rules: ChallengeRules,
): Promise<AuthMessage> {
  const parsed = parseChallenge(challenge)
  if (parsed === null) throw new AuthenticationError('invalid_challenge', 'The service sent a malformed challenge.')
  requireSafeUrl(rules.url)
  if (new URL(parsed.audience).href !== rules.audience) {
    throw mismatch(
      `The challenge is for ${parsed.audience}, not for ${rules.audience}.`,
      audienceRemedy(parsed.audience),
    )
  }
  if (chainId !== rules.chainId || !isAddressEqual(quoteMarket, rules.quoteMarketAddress)) {
    throw mismatch(
      `The service uses the quote market ${quoteMarket} on chain ${chainId}, but this client is set to ${rules.quoteMarketAddress} on chain ${rules.chainId}.`,
      ` ${marketRemedy}`,
    )
  }
  // Use the service's time, so that a small clock skew does not matter. The signer rejects large skew.
  const timestamp = Math.floor(serverTime / 1000)
  const address = rules.signer.getAddress()
  if (address === null)
    throw new AuthenticationError('signing_failed', 'No signer is set. Call setPrivateKey or setAccount first.')
  try {
    const signature = await rules.signer.signAuthChallenge(challenge, timestamp)
    return { type: 'auth', address, timestamp, signature }
  } catch (cause) {
    const late = cause instanceof SignerError && cause.code === 'TIMESTAMP_OUT_OF_WINDOW'
    const message = cause instanceof SignerError ? cause.shortMessage : 'Failed to sign the challenge.'
    throw new AuthenticationError(late ? 'timestamp_out_of_window' : 'signing_failed', message, { cause })
  }
}

/**
 * Requires an encrypted or local connection, because others can be read and tampered with.
 *
 * @throws {AuthenticationError} `audience_mismatch`.
 */
export function requireSafeUrl(url: string): void {
  if (isSafeUrl(url)) return
  throw mismatch(`${url} is not encrypted. A ws:// URL must point to this machine.`)
}

function mismatch(message: string, remedy = ''): AuthenticationError {
  return new AuthenticationError('audience_mismatch', message, { details: `Nothing was signed.${remedy}` })
}
