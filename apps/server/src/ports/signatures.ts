import type { QuoteMarketQuote, Recovery } from '@firmquote/core'
import type { Hex } from 'viem'

/** The expensive arithmetic of quotes: digests synchronously, signers off the event loop. */
export type Signatures = {
  /**
   * The EIP-712 digest of a quote of this market.
   *
   * @throws {InvalidInputError} when a field does not fit its type.
   */
  hashQuote(quote: QuoteMarketQuote): Hex
  /**
   * Recovers the signer of a digest, as strictly as the contract.
   *
   * @throws {OverloadedError} when too many are waiting.
   */
  recoverSigner(digest: Hex, signature: Hex): Promise<Recovery>
}
