import { ChainUnavailableError } from '@firmquote/core'
import { BaseError } from 'viem'
import { ConfigurationError, TransactionError } from '../../errors.ts'

/**
 * Runs what asks the node. What viem throws names the node's whole URL, which often holds a key, so nothing of it is kept
 * but its short message.
 *
 * @throws {ChainUnavailableError}, and what was thrown on purpose.
 */
export async function guarded<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof TransactionError) throw error
    throw new ChainUnavailableError(
      'The chain could not be read from the node of chain.rpcUrl, or FIRMQUOTE_RPC_URL.',
      { details: reasonOf(error) },
    )
  }
}

/** Why a request failed, in words that may be logged. */
export function reasonOf(error: unknown): string {
  const known = error instanceof ChainUnavailableError && error.cause !== undefined ? error.cause : error
  if (known instanceof ChainUnavailableError) return known.details ?? known.shortMessage
  if (!(known instanceof BaseError)) return 'The answer could not be understood.'
  return known.shortMessage.replaceAll(/\b(?:https?|wss?):\/\/\S+/gi, '<url>')
}
