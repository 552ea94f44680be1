import type { SignedQuote } from '@firmquote/core'

/** A quote with an invalid signature, for tests that read only its terms. */
export function exampleQuote(changes: Partial<SignedQuote> = {}): SignedQuote {
  return {
    maker: `0x${'11'.repeat(20)}`,
    taker: `0x${'00'.repeat(20)}`,
    poolId: `0x${'22'.repeat(32)}`,
    seriesKey: `0x${'33'.repeat(32)}`,
    notional: 1_000n,
    vrtAmount: 50n,
    nonce: 0n,
    deadline: 1_000n,
    salt: `0x${'44'.repeat(32)}`,
    signature: `0x${'55'.repeat(65)}`,
    ...changes,
  }
}
