import { type AuthChallengeMessage, type AuthMessage, parseChallenge } from '@firmquote/core'
import { type Address, isAddressEqual } from 'viem'
import { AuthenticationError, SignerError } from '../errors.ts'
import { audienceRemedy } from './audienceRemedy.ts'
import type { BackerSigner } from './backerSigner.ts'
import { isSafeUrl } from './isSafeUrl.ts'

/** What a challenge must contain to be signed. */
export type ChallengeRules = {
  signer: BackerSigner
  /** The URL that is connected to. */
  url: string
  /** The audience that the challenge must name: the URL, unless there is a load balancer in between. */
  audience: string
  chainId: number
  quoteMarketAddress: Address
}

/**
 * Signs the answer to a challenge, if it is meant for this client: otherwise a service could relay the challenge of another
 * service and authenticate there as this backer.
 *
 * @throws {AuthenticationError} when nothing was signed; `reason` is `audience_mismatch`, `invalid_challenge`,
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
      `The service is for chain ${chainId}, this client for ${rules.chainId}.`,
      ` Set chainId to ${chainId}, or dial a service for ${rules.chainId}.`,
    )
  if (!isAddressEqual(quoteMarket, rules.quoteMarketAddress)) {
    throw mismatch(
      `The service is for the quote market ${quoteMarket}, this client for ${rules.quoteMarketAddress}.`,
      ' Set quoteMarketAddress to the market that you mean to quote on.',
    )
  }
  // The service's time, which tolerates a small clock difference; the signer refuses a large one.
  const timestamp = Math.floor(serverTime / 1000)
  const address = rules.signer.getAddress()
  if (address === null)
    throw new AuthenticationError('signing_failed', 'There is no signer: call setPrivateKey or setAccount first.')
  try {
    const signature = await rules.signer.signAuthChallenge(challenge, timestamp)
    return { type: 'auth', address, timestamp, signature }
  } catch (cause) {
    const late = cause instanceof SignerError && cause.code === 'TIMESTAMP_OUT_OF_WINDOW'
    const message = cause instanceof SignerError ? cause.shortMessage : 'The challenge could not be signed.'
    throw new AuthenticationError(late ? 'timestamp_out_of_window' : 'signing_failed', message, { cause })
  }
}

/**
 * Messages on an unencrypted connection can be read and changed, so it may only lead to this machine.
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
