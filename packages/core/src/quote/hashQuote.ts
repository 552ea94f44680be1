import { type Hex, keccak256 } from 'viem'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { guardInput } from '../values/guardInput.ts'
import { bytesToHex } from '../values/hexBytes.ts'
import { createQuoteDigest } from './quoteDigest.ts'
import type { QuoteDomain } from './typedData.ts'

/**
 * Computes a quote's EIP-712 digest, like `QuoteMarket.hashQuote`. The maker signs this digest, which also identifies
 * the quote.
 *
 * @throws {InvalidInputError} if a field of the quote or the domain does not fit its type. `path` names the field.
 * @example
 * ```ts
 * hashQuote(best.quote, { chainId: 8453, quoteMarket: QUOTE_MARKET_ADDRESS }) === best.hash // true
 * ```
 */
export function hashQuote(quote: QuoteMarketQuote, domain: QuoteDomain): Hex {
  return guardInput('quote', () => bytesToHex(digestFor(domain)(quote)))
}

const keccakBytes = (bytes: Uint8Array) => keccak256(bytes, 'bytes')

// Caches the last domain. A process serves one market, so caching one domain is enough.
let last: (QuoteDomain & { digestOf: ReturnType<typeof createQuoteDigest> }) | undefined

function digestFor({ chainId, quoteMarket }: QuoteDomain) {
  if (last?.chainId !== chainId || last.quoteMarket !== quoteMarket) {
    last = { chainId, quoteMarket, digestOf: createQuoteDigest(keccakBytes, { chainId, quoteMarket }) }
  }
  return last.digestOf
}
