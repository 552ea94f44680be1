import type { QuoteMarketQuote, Recovery } from '@firmquote/core'
import type { Hex } from 'viem'

/** The costly arithmetic of quotes: digests here and now, signers off the event loop. */
export type Signatures = {
  /**
   * The EIP-712 digest of a quote of this market.
   *
   * @throws {InvalidInputError} when a field does not fit its type.
   */
  hashQuote(quote: QuoteMarketQuote): Hex
  /**
   * Whom a signature over a digest names, as strictly as the contract.
   *
   * @throws {OverloadedError} when too many are waiting already.
   */
  recoverSigner(digest: Hex, signature: Hex): Promise<Recovery>
}
