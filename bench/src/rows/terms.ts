import { judgeTerms } from '@firmquote/core'
import { decode, encodeJson, signedQuoteShape } from '@firmquote/core/wire'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshQuoteTexts } from '../sampleQuotes.ts'

/** What every quote pays before its signature is looked at. */
export const terms: Row = {
  id: 'terms',
  about: 'decoding, judging the terms of and encoding a quote, against JSON.parse and JSON.stringify alone',
  async run(context) {
    const comparison = await compareRates(
      {
        ours: createSide('Firmquote', freshQuoteTexts, (text) => {
          const decoded = decode(signedQuoteShape, JSON.parse(text))
          return decoded.ok && !judgeTerms(decoded.value, {}, 0n) && encodeJson(decoded.value)
        }),
        theirs: createSide('JSON', freshQuoteTexts, (text) => JSON.stringify(JSON.parse(text))),
      },
      context,
    )
    return {
      findings: [
        {
          what: 'decode, judge the terms of and encode a quote',
          rival: 'JSON.parse and JSON.stringify alone',
          unit: 'x',
          figure: comparison.ratio,
          ...goals.terms,
          notes: [describeRates(comparison, '/s')],
        },
      ],
    }
  },
}
