import { type QuoteMarketQuote, quoteTypedData } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
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
