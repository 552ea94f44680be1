import { availableParallelism } from 'node:os'
import type { SignedQuote } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { createSignatureThreads } from '../../../apps/server/src/adapters/signatureThreads/createSignatureThreads.ts'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { verifyAllCoresGoal } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshSignedQuotes, sampleDomain } from '../sampleQuotes.ts'

/** How many quotes are verified at a time: what a burst leaves waiting. */
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
    const freshBursts = (count: number) => Array.from({ length: Math.min(count, 8) }, () => freshSignedQuotes(burst))
    try {
      const rates = await compareRates(
        {
          threads: createSide(
            collected(freshBursts),
            async (quotes) => (await Promise.all(quotes.map(verify))).every(Boolean),
            { callSize: burst },
          ),
          'one thread': createSide(collected(freshSignedQuotes), verifyQuote),
        },
        context,
        { turnMs: 200, turns: 4 },
      )
      return [
        {
          what: `verify quotes on all ${cores} cores`,
          rival: 'Firmquote in one thread',
          unit: 'x',
          figure: ratioOf(rates.threads, rates['one thread']),
          ...verifyAllCoresGoal(cores),
          notes: [`${describeRates(rates, '/s')}; bursts of ${burst}, ${cores} threads`],
        },
      ]
    } finally {
      await threads.close()
    }
  },
}

/** Collects the garbage of preparing at once: the collector would run during an asynchronous call. */
function collected<Input>(prepare: (count: number) => Input[]): (count: number) => Input[] {
  return (count) => {
    const inputs = prepare(count)
    globalThis.gc?.()
    return inputs
  }
}
