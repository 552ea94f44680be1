import { quoteTypedData } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { verifyTypedData } from 'viem'
import { compareRates, createSide, describeRates } from '../compare.ts'
import type { OtherRival, Row } from '../row.ts'
import { freshSignedQuotes, sampleDomain } from '../sampleQuotes.ts'
import { createVerifyRivals } from './verifyRivals.ts'

/** Verifying one quote in one thread: its digest, and who signed it. */
export const verify: Row = {
  id: 'verify',
  about: 'one quote, one thread, against viem verifyTypedData and what other order books use',
  async run(context) {
    const { verifyQuote } = await createQuoteVerifier(sampleDomain)
    const rivals = createVerifyRivals()
    const installed = rivals.flatMap(({ side }) => side ?? [])
    const comparison = await compareRates(
      {
        ours: createSide('Firmquote', freshSignedQuotes, verifyQuote),
        theirs: createSide('viem', freshSignedQuotes, (signed) =>
          verifyTypedData({
            ...quoteTypedData(signed, sampleDomain),
            address: signed.maker,
            signature: signed.signature,
          }),
        ),
        others: installed,
      },
      context,
    )
    const others = rivals.map(({ rival, how, side }): OtherRival => {
      const figure = side && comparison.otherRatios[installed.indexOf(side)]
      return { rival, how, ...(figure && { figure }) }
    })
    return {
      findings: [
        {
          what: 'verify one quote, one thread',
          rival: 'viem `verifyTypedData`',
          unit: 'x',
          figure: comparison.ratio,
          goal: { least: 24 },
          limit: '38x',
          notes: [describeRates(comparison, '/s')],
          others,
        },
      ],
    }
  },
}
