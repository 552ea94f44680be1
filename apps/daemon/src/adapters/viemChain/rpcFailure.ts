import { ChainUnavailableError } from '@firmquote/core'
import { BaseError } from 'viem'
import { ConfigurationError, TransactionError } from '../../errors.ts'

/**
 * Wraps errors from requests to the node. viem's errors contain the node's URL, which often includes an API key, so
 * only their short message is kept, with URLs removed.
 *
 * @throws {ChainUnavailableError} for every failure except {@link ConfigurationError} and {@link TransactionError}.
 */
export async function wrapChainErrors<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof TransactionError) throw error
    throw new ChainUnavailableError('Failed to read from the node at chain.rpcUrl or FIRMQUOTE_RPC_URL.', {
      details: reasonOf(error),
    })
  }
}

/** Returns the reason for a failed request, without the node's URL. */
export function reasonOf(error: unknown): string {
  const known = error instanceof ChainUnavailableError && error.cause !== undefined ? error.cause : error
  if (known instanceof ChainUnavailableError) return known.details ?? known.shortMessage
  if (!(known instanceof BaseError)) return 'The node returned an invalid response.'
  return known.shortMessage.replaceAll(/\b(?:https?|wss?):\/\/\S+/gi, '<url>')
}
