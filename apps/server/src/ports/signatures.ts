import type { QuoteMarketQuote, Recovery } from '@firmquote/core'
import type { Hex } from 'viem'

/**
 * The expensive computations on quotes. Computes digests synchronously and recovers signers off the event loop.
 */
export type Signatures = {
  /**
   * Returns the EIP-712 digest of a quote for this market.
   *
   * @throws {InvalidInputError} if a field does not fit its type.
   */
  hashQuote(quote: QuoteMarketQuote): Hex
  /**
   * Recovers a digest's signer as strictly as the contract does.
   *
   * @throws {OverloadedError} if too many requests are waiting.
   */
  recoverSigner(digest: Hex, signature: Hex): Promise<Recovery>
}
