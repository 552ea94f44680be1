import { randomBytes } from 'node:crypto'
import type { QuoteMarketQuote } from '@firmquote/core'
import { type Address, bytesToHex, zeroAddress } from 'viem'
import type { OutstandingQuote } from '../src/domain/exposure.ts'
import { exampleRfq } from './exampleRfq.ts'

/** Creates an outstanding quote for tests, with a random hash. */
export function exampleOutstanding({
  loanToken = zeroAddress,
  asker = 'maker',
  ...changes
}: Partial<QuoteMarketQuote> & { loanToken?: Address; asker?: OutstandingQuote['asker'] } = {}): OutstandingQuote {
  const { poolId, seriesKey } = exampleRfq
  const quote: QuoteMarketQuote = {
    ...{ maker: zeroAddress, taker: zeroAddress, poolId, seriesKey, notional: 1n, vrtAmount: 1n },
    ...{ nonce: 0n, deadline: 0n, salt: bytesToHex(randomBytes(32)) },
    ...changes,
  }
  // The random salt also serves as the quote's hash, because it is unique.
  return { hash: quote.salt, loanToken, quote, asker }
}
