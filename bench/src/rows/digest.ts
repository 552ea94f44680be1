import { quoteTypedData } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { hashTypedData } from 'viem'
import { compareRates, createSide } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { freshQuotes, sampleDomain } from '../quotes.ts'
import type { Row } from '../row.ts'

/** Computing a quote's EIP-712 digest. */
export const digest: Row = {
  id: 'digest',
  about: 'the EIP-712 digest of a quote, against viem hashTypedData',
  async run(context) {
    const { hashQuote } = await createQuoteVerifier(sampleDomain)
    const hashByViem = (quote: Parameters<typeof hashQuote>[0]) => hashTypedData(quoteTypedData(quote, sampleDomain))
    if (freshQuotes(100).some((quote) => hashQuote(quote) !== hashByViem(quote))) throw new TypeError('Digests differ.')
    const rates = await compareRates(
      { Firmquote: createSide(freshQuotes, hashQuote), viem: createSide(freshQuotes, hashByViem) },
      context,
    )
    return { digest: ratioOf(rates.Firmquote, rates.viem, '/s') }
  },
}
