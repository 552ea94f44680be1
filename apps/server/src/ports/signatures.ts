import type { QuoteMarketQuote, Recovery } from '@firmquote/core'
import type { Hex } from 'viem'

/**
 * The expensive computations on quotes. Digests are computed synchronously, and signers are recovered off the event
 * loop.
 */
export type Signatures = {
  /**
   * The EIP-712 digest of a quote for this market.
   *
   * @throws {InvalidInputError} if a field does not fit its type.
   */
  hashQuote(quote: QuoteMarketQuote): Hex
  /**
   * Recovers the signer of a digest, as strictly as the contract does.
   *
   * @throws {OverloadedError} if too many requests are waiting.
   */
  recoverSigner(digest: Hex, signature: Hex): Promise<Recovery>
}
