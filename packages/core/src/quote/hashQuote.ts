import { type Hex, keccak256 } from 'viem'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { guardInput } from '../values/guardInput.ts'
import { bytesToHex } from '../values/hexBytes.ts'
import { createQuoteDigest } from './quoteDigest.ts'
import type { QuoteDomain } from './typedData.ts'

/**
 * The EIP-712 digest of a quote: what its maker signs, and its id everywhere, as `QuoteMarket.hashQuote` gives it.
 *
 * @throws {InvalidInputError} when a field of the quote or of the domain does not fit its type; `path` names it.
 * @example
 * ```ts
 * hashQuote(best.quote, { chainId: 8453, quoteMarket: QUOTE_MARKET_ADDRESS }) === best.hash // true
 * ```
 */
export function hashQuote(quote: QuoteMarketQuote, domain: QuoteDomain): Hex {
  return guardInput('quote', () => bytesToHex(digestFor(domain)(quote)))
}

const keccakBytes = (bytes: Uint8Array) => keccak256(bytes, 'bytes')

// A process works for one market, a test for a few: only the last one is kept.
let last: (QuoteDomain & { digestOf: ReturnType<typeof createQuoteDigest> }) | undefined

function digestFor({ chainId, quoteMarket }: QuoteDomain) {
  if (last?.chainId !== chainId || last.quoteMarket !== quoteMarket) {
    last = { chainId, quoteMarket, digestOf: createQuoteDigest(keccakBytes, { chainId, quoteMarket }) }
  }
  return last.digestOf
}
