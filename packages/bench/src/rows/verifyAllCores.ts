import { availableParallelism } from 'node:os'
import { quoteTypedData, type SignedQuote } from '@firmquote/core'
import { verifyTypedData } from 'viem'
import { createSignatureThreads } from '../../../../apps/server/src/adapters/signatureThreads/createSignatureThreads.ts'
import { compareRates, createSide, describeRates } from '../compare.ts'
import type { Row } from '../row.ts'
import { freshSignedQuotes, sampleDomain } from '../sampleQuotes.ts'

/** So many quotes are under way at a time: what a burst leaves waiting. */
const burst = 512

/** Verifying on all cores, with the very threads that the server has. */
export const verifyAllCores: Row = {
  id: 'verify-all-cores',
  about: "bursts of quotes on the server's own threads, against one-thread viem verifyTypedData",
  async run(context) {
    const cores = availableParallelism()
    const threads = await createSignatureThreads({ domain: sampleDomain, threads: cores })
    const verify = async (signed: SignedQuote) => {
      const { signer } = await threads.recoverSigner(threads.hashQuote(signed), signed.signature)
      return signer === signed.maker.toLowerCase()
    }
    try {
      const comparison = await compareRates(
        {
          // A call is a burst, and rates are told per quote.
          ours: createSide(
            'Firmquote',
            tidy((count) => Array.from({ length: Math.min(count, 8) }, () => freshSignedQuotes(burst))),
            async (quotes) => (await Promise.all(quotes.map(verify))).every(Boolean),
            {
              callSize: burst,
            },
          ),
          theirs: createSide('viem', tidy(freshSignedQuotes), (signed) =>
            verifyTypedData({
              ...quoteTypedData(signed, sampleDomain),
              address: signed.maker,
              signature: signed.signature,
            }),
          ),
        },
        context,
        { turnMs: 200, turns: 4 },
      )
      return {
        findings: [
          {
            what: `verify quotes on all ${cores} cores`,
            rival: 'viem `verifyTypedData`, one thread',
            unit: 'x',
            figure: comparison.ratio,
            // The goal is for two cores; what threads add, they add per core.
            goal: { least: 22.5 * cores },
            limit: `${37.5 * cores}x`,
            notes: [`${describeRates(comparison, '/s')}; bursts of ${burst}, ${cores} threads`],
          },
        ],
      }
    } finally {
      await threads.close()
    }
  },
}

/** Collects the rubbish of preparing at once: in what is asynchronous, the collector would get to it while time is taken. */
function tidy<Input>(prepare: (count: number) => Input[]): (count: number) => Input[] {
  return (count) => {
    const inputs = prepare(count)
    globalThis.gc?.()
    return inputs
  }
}
