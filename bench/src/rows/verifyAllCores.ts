import { availableParallelism } from 'node:os'
import { quoteTypedData, type SignedQuote } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { verifyTypedData } from 'viem'
import { createSignatureThreads } from '../../../apps/server/src/adapters/signatureThreads/createSignatureThreads.ts'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { verifyAllCoresGoal } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshSignedQuotes, sampleDomain } from '../sampleQuotes.ts'

/** How many quotes are under way at a time: what a burst leaves waiting. */
const burst = 512

/** Verifying on all cores, with the server's own threads. */
export const verifyAllCores: Row = {
  id: 'verify-all-cores',
  about: "bursts of quotes on the server's own threads, against one thread",
  async run(context) {
    const cores = availableParallelism()
    const { verifyQuote } = await createQuoteVerifier(sampleDomain)
    const threads = await createSignatureThreads({ domain: sampleDomain, threads: cores })
    const verify = async (signed: SignedQuote) => {
      const { signer } = await threads.recoverSigner(threads.hashQuote(signed), signed.signature)
      return signer === signed.maker.toLowerCase()
    }
    try {
      const comparison = await compareRates(
        {
          // A call is a burst, and rates are per quote.
          ours: createSide(
            'Firmquote',
            collected((count) => Array.from({ length: Math.min(count, 8) }, () => freshSignedQuotes(burst))),
            async (quotes) => (await Promise.all(quotes.map(verify))).every(Boolean),
            { callSize: burst },
          ),
          theirs: createSide('Firmquote in one thread', collected(freshSignedQuotes), verifyQuote),
          others: [
            createSide('viem', collected(freshSignedQuotes), (signed) =>
              verifyTypedData({
                ...quoteTypedData(signed, sampleDomain),
                address: signed.maker,
                signature: signed.signature,
              }),
            ),
          ],
        },
        context,
        { turnMs: 200, turns: 4 },
      )
      const [againstViem] = comparison.otherRatios
      return {
        findings: [
          {
            what: `verify quotes on all ${cores} cores`,
            rival: 'Firmquote in one thread',
            unit: 'x',
            figure: comparison.ratio,
            ...verifyAllCoresGoal(cores),
            notes: [`${describeRates(comparison, '/s')}; bursts of ${burst}, ${cores} threads`],
            others: [
              { rival: 'viem', how: '`verifyTypedData`, one thread', ...(againstViem && { figure: againstViem }) },
            ],
          },
        ],
      }
    } finally {
      await threads.close()
    }
  },
}

/** Collects the garbage of preparing at once: where a call is asynchronous, the collector would run while it is timed. */
function collected<Input>(prepare: (count: number) => Input[]): (count: number) => Input[] {
  return (count) => {
    const inputs = prepare(count)
    globalThis.gc?.()
    return inputs
  }
}
