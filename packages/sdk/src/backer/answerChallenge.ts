import { type AuthChallengeMessage, type AuthMessage, parseChallenge } from '@firmquote/core'
import { type Address, isAddressEqual } from 'viem'
import { AuthenticationError, SignerError } from '../errors.ts'
import { audienceRemedy } from './audienceRemedy.ts'
import type { BackerSigner } from './backerSigner.ts'
import { isSafeUrl } from './isSafeUrl.ts'

/** The conditions under which a challenge is signed. */
export type ChallengeRules = {
  signer: BackerSigner
  /** The URL of the connection. */
  url: string
  /** The audience that the challenge must name. It differs from the URL behind a load balancer. */
  audience: string
  chainId: number
  quoteMarketAddress: Address
}

/**
 * Signs the answer to a challenge if it is for this client. Otherwise a service could relay the challenge of another
 * service and authenticate there as this backer.
 *
 * @throws {AuthenticationError} if nothing was signed. `reason` is `audience_mismatch`, `invalid_challenge`,
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
  if (chainId !== rules.chainId)
    throw mismatch(
      `The service is for chain ${chainId}, but this client is for ${rules.chainId}.`,
      ` Set chainId to ${chainId}, or dial a service for ${rules.chainId}.`,
    )
  if (!isAddressEqual(quoteMarket, rules.quoteMarketAddress)) {
    throw mismatch(
      `The service is for the quote market ${quoteMarket}, but this client is for ${rules.quoteMarketAddress}.`,
      ' Set quoteMarketAddress to the market that you mean to quote on.',
    )
  }
  // Using the service's time tolerates a small clock difference. The signer rejects a large one.
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
 * Requires an encrypted connection or a local one, because other connections can be read and changed.
 *
 * @throws {AuthenticationError} `audience_mismatch`.
 */
export function requireSafeUrl(url: string): void {
  if (isSafeUrl(url)) return
  throw mismatch(`${url} is not encrypted: a ws:// URL may only lead to this machine.`)
}

function mismatch(message: string, remedy = ''): AuthenticationError {
  return new AuthenticationError('audience_mismatch', message, { details: `Nothing was signed.${remedy}` })
}
