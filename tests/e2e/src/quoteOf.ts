import type { QuoteMarketQuote } from '@firmquote/core'
import { type Address, bytesToHex, zeroAddress } from 'viem'

/** Terms of a quote for any taker, which is valid for ten minutes and has a random salt. */
export function quoteOf(
  maker: Address,
  terms: Partial<QuoteMarketQuote> & Pick<QuoteMarketQuote, 'poolId' | 'seriesKey' | 'notional' | 'vrtAmount'>,
): QuoteMarketQuote {
  return {
    ...{ maker, taker: zeroAddress, nonce: 0n, deadline: BigInt(Math.floor(Date.now() / 1_000) + 600) },
    salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
    ...terms,
  }
}
