import { quoteTypedData } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { hashTypedData } from 'viem'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshQuotes, sampleDomain } from '../sampleQuotes.ts'

/** The EIP-712 digest of a quote. */
export const digest: Row = {
  id: 'digest',
  about: 'the EIP-712 digest of a quote, against viem hashTypedData',
  async run(context) {
    const { hashQuote } = await createQuoteVerifier(sampleDomain)
    for (const quote of freshQuotes(100)) {
      if (hashQuote(quote) !== hashTypedData(quoteTypedData(quote, sampleDomain)))
        throw new TypeError('Digests differ.')
    }
    const comparison = await compareRates(
      {
        ours: createSide('Firmquote', freshQuotes, hashQuote),
        theirs: createSide('viem', freshQuotes, (quote) => hashTypedData(quoteTypedData(quote, sampleDomain))),
      },
      context,
    )
    return {
      findings: [
        {
          what: 'digest of a quote',
          rival: 'viem `hashTypedData`',
          unit: 'x',
          figure: comparison.ratio,
          ...goals.digest,
          notes: [`${describeRates(comparison, '/s')}; 100 digests compared before, all equal`],
        },
      ],
    }
  },
}
