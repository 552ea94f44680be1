import { type QuoteMarketQuote, quoteTypedData } from '@firmquote/core'
import { createQuoteSigner, createQuoteVerifier } from '@firmquote/core/verifier'
import { hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { compareRates, createSide } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { freshQuotes, sampleDomain, sampleKey } from '../quotes.ts'
import type { Row } from '../row.ts'

/** Signing a quote, as a backer does. */
export const sign: Row = {
  id: 'sign',
  about: 'signing a quote, against viem account.signTypedData',
  async run(context) {
    const { signQuote } = await createQuoteSigner(sampleKey, sampleDomain)
    const account = privateKeyToAccount(sampleKey)
    const signByViem = (quote: QuoteMarketQuote) => account.signTypedData(quoteTypedData(quote, sampleDomain))
    for (const quote of freshQuotes(100)) {
      if (signQuote(quote) !== (await signByViem(quote))) throw new TypeError('Signatures differ.')
    }
    const rates = await compareRates(
      { Firmquote: createSide(freshQuotes, signQuote), viem: createSide(freshQuotes, signByViem) },
      context,
    )
    return { sign: ratioOf(rates.Firmquote, rates.viem, '/s') }
  },
}

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
