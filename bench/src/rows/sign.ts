import { quoteTypedData } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import { privateKeyToAccount } from 'viem/accounts'
import { compareRates, createSide, describeRates } from '../compare.ts'
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
    for (const quote of freshQuotes(100)) {
      const theirs = await account.signTypedData(quoteTypedData(quote, sampleDomain))
      if (signQuote(quote) !== theirs) throw new TypeError('Signatures differ.')
    }
    const comparison = await compareRates(
      {
        ours: createSide('Firmquote', freshQuotes, signQuote),
        theirs: createSide('viem', freshQuotes, (quote) => account.signTypedData(quoteTypedData(quote, sampleDomain))),
      },
      context,
    )
    return {
      findings: [
        {
          what: 'sign a quote',
          rival: 'viem `account.signTypedData`',
          unit: 'x',
          figure: comparison.ratio,
          ...goals.sign,
          notes: [`${describeRates(comparison, '/s')}; 100 signatures compared before, all byte-identical`],
        },
      ],
    }
  },
}
