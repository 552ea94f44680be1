import { type QuoteMarketQuote, quoteTypedData } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import { privateKeyToAccount } from 'viem/accounts'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshQuotes, sampleDomain, sampleKey } from '../sampleQuotes.ts'

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
    return [
      {
        what: 'sign a quote',
        rival: 'viem `account.signTypedData`',
        unit: 'x',
        figure: ratioOf(rates.Firmquote, rates.viem),
        ...goals.sign,
        notes: [describeRates(rates, '/s')],
      },
    ]
  },
}
