import { quoteTypedData } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { hexToBytes, verifyTypedData } from 'viem'
import { loadWasmEngine } from '../../../packages/core/src/verifier/wasmEngine.ts'
import { compareRates, createSide, describeRates, type Side } from '../compare.ts'
import { goals } from '../goals.ts'
import type { OtherRival, Row } from '../row.ts'
import { freshSignedQuotes, sampleDomain } from '../sampleQuotes.ts'
import { createVerifyRivals } from './verifyRivals.ts'

/** Verifying one quote in one thread: its digest, and the recovery of its signer. */
export const verify: Row = {
  id: 'verify',
  about: 'one quote, one thread, against viem verifyTypedData, other order books and the bare recovery',
  async run(context) {
    const { hashQuote, verifyQuote } = await createQuoteVerifier(sampleDomain)
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
        others: [await createBareRecovery(hashQuote), ...installed],
      },
      context,
    )
    const [againstRecovery, ...againstRivals] = comparison.otherRatios
    if (!againstRecovery) throw new TypeError('The bare recovery was not measured.')
    const others = rivals.map(({ rival, how, side }): OtherRival => {
      const figure = side && againstRivals[installed.indexOf(side)]
      return { rival, how, ...(figure && { figure }) }
    })
    return {
      findings: [
        {
          what: 'verify one quote, one thread',
          rival: 'viem `verifyTypedData`',
          unit: 'x',
          figure: comparison.ratio,
          ...goals.verify,
          notes: [describeRates(comparison, '/s')],
          others,
        },
        {
          what: 'verify one quote, one thread, against the recovery alone',
          rival: 'libsecp256k1 as the same WASM, on digests and signatures in bytes',
          unit: 'x',
          figure: againstRecovery,
          ...goals.verifyAgainstRecovery,
        },
      ],
    }
  },
}

/** The public key from a digest and a signature that are there as bytes: the part of the work that no encoder can save. */
async function createBareRecovery(
  hashQuote: (quote: ReturnType<typeof freshSignedQuotes>[number]) => `0x${string}`,
): Promise<Side> {
  const { recoverPublicKey } = await loadWasmEngine()
  const prepare = (count: number) =>
    freshSignedQuotes(count).map((signed) => {
      const bytes = hexToBytes(signed.signature)
      // The curve takes the recovery id first.
      const signature = Uint8Array.of((bytes[64] ?? 0) - 27, ...bytes.subarray(0, 64))
      return { digest: hexToBytes(hashQuote(signed)), signature }
    })
  return createSide('bare recovery', prepare, ({ digest, signature }) => recoverPublicKey(signature, digest))
}
