import { availableParallelism } from 'node:os'
import { quoteTypedData, type SignedQuote } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { type Hex, hexToBytes, verifyTypedData } from 'viem'
import { createSignatureThreads } from '../../../apps/server/src/adapters/signatureThreads/createSignatureThreads.ts'
import { loadWasmEngine } from '../../../packages/core/src/verifier/wasmEngine.ts'
import { compareRates, createSide, type Side } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { freshSignedQuotes, sampleDomain } from '../quotes.ts'
import type { Row } from '../row.ts'

/** Verifying one quote in one thread: computing its digest and recovering its signer. */
export const verify: Row = {
  id: 'verify',
  about: 'verifying a quote in one thread, against viem verifyTypedData and bare recovery',
  async run(context) {
    const { hashQuote, verifyQuote } = await createQuoteVerifier(sampleDomain)
    const verifyByViem = (signed: SignedQuote) => {
      const { maker: address, signature } = signed
      return verifyTypedData({ ...quoteTypedData(signed, sampleDomain), address, signature })
    }
    const rates = await compareRates(
      {
        Firmquote: createSide(freshSignedQuotes, verifyQuote),
        viem: createSide(freshSignedQuotes, verifyByViem),
        recovery: await createBareRecovery(hashQuote),
      },
      context,
    )
    return {
      verify: ratioOf(rates.Firmquote, rates.viem, '/s'),
      verifyAgainstRecovery: ratioOf(rates.Firmquote, rates.recovery, '/s'),
    }
  },
}

/**
 * Recovers public keys from binary digests and signatures. Better encoding cannot speed up this part of verification.
 */
async function createBareRecovery(hashQuote: (quote: SignedQuote) => Hex): Promise<Side> {
  const { recoverPublicKey } = await loadWasmEngine()
  const prepare = (count: number) =>
    freshSignedQuotes(count).map((signed) => {
      const bytes = hexToBytes(signed.signature)
      // The curve library expects the recovery id first.
      const signature = Uint8Array.of((bytes[64] ?? 0) - 27, ...bytes.subarray(0, 64))
      return { hash: hexToBytes(hashQuote(signed)), signature }
    })
  return createSide(prepare, ({ hash, signature }) => recoverPublicKey(signature, hash))
}

/** Number of quotes verified at a time, as after a burst. */
const burst = 512

/** Verifying quotes on all cores with the server's own threads. */
export const verifyAllCores: Row = {
  id: 'verify-all-cores',
  about: "verifying bursts of quotes on the server's own threads, against one thread",
  async run(context) {
    const { verifyQuote } = await createQuoteVerifier(sampleDomain)
    const threads = await createSignatureThreads({ domain: sampleDomain, threads: availableParallelism() })
    const verifyOnThread = async (signed: SignedQuote) => {
      const { signer } = await threads.recoverSigner(threads.hashQuote(signed), signed.signature)
      return signer === signed.maker.toLowerCase()
    }
    const freshBursts = (count: number) => Array.from({ length: Math.min(count, 8) }, () => freshSignedQuotes(burst))
    const verifyBurst = async (quotes: SignedQuote[]) => (await Promise.all(quotes.map(verifyOnThread))).every(Boolean)
    try {
      const rates = await compareRates(
        {
          threads: createSide(collected(freshBursts), verifyBurst, { callSize: burst }),
          oneThread: createSide(collected(freshSignedQuotes), verifyQuote),
        },
        context,
        { turnMs: 200, turns: 4 },
      )
      return { verifyAllCores: ratioOf(rates.threads, rates.oneThread, '/s') }
    } finally {
      await threads.close()
    }
  },
}

/**
 * Collect garbage from preparation first, since the collector could otherwise run during an asynchronous call.
 */
function collected<Input>(prepare: (count: number) => Input[]): (count: number) => Input[] {
  return (count) => {
    const inputs = prepare(count)
    globalThis.gc?.()
    return inputs
  }
}
