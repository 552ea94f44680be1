import { ChainUnavailableError } from '@firmquote/core'
import { BaseError } from 'viem'
import { ConfigurationError, TransactionError } from '../../errors.ts'

/**
 * Runs requests to the node. viem's errors name the node's whole URL, which often holds a key, so only their short message
 * is taken over, without URLs.
 *
 * @throws {ChainUnavailableError} for every failure but a {@link ConfigurationError} or {@link TransactionError}.
 */
export async function guarded<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof TransactionError) throw error
    throw new ChainUnavailableError(
      'The chain could not be read from the node of chain.rpcUrl, or FIRMQUOTE_RPC_URL.',
      { details: reasonOf(error) },
    )
  }
}

/** Why a request failed, without the node's URL. */
export function reasonOf(error: unknown): string {
  const known = error instanceof ChainUnavailableError && error.cause !== undefined ? error.cause : error
  if (known instanceof ChainUnavailableError) return known.details ?? known.shortMessage
  if (!(known instanceof BaseError)) return 'The answer could not be understood.'
  return known.shortMessage.replaceAll(/\b(?:https?|wss?):\/\/\S+/gi, '<url>')
}
