import { quoteTypedData, type SignedQuote } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { type Hex, hexToBytes, verifyTypedData } from 'viem'
import { loadWasmEngine } from '../../../packages/core/src/verifier/wasmEngine.ts'
import { compareRates, createSide, describeRates, type Side } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshSignedQuotes, sampleDomain } from '../sampleQuotes.ts'

/** Verifying one quote in one thread: its digest, and the recovery of its signer. */
export const verify: Row = {
  id: 'verify',
  about: 'one quote, one thread, against viem verifyTypedData and the bare recovery',
  async run(context) {
    const { hashQuote, verifyQuote } = await createQuoteVerifier(sampleDomain)
    const rates = await compareRates(
      {
        Firmquote: createSide(freshSignedQuotes, verifyQuote),
        viem: createSide(freshSignedQuotes, (signed) =>
          verifyTypedData({
            ...quoteTypedData(signed, sampleDomain),
            address: signed.maker,
            signature: signed.signature,
          }),
        ),
        recovery: await createBareRecovery(hashQuote),
      },
      context,
    )
    return [
      {
        what: 'verify one quote, one thread',
        rival: 'viem `verifyTypedData`',
        unit: 'x',
        figure: ratioOf(rates.Firmquote, rates.viem),
        ...goals.verify,
        notes: [describeRates(rates, '/s')],
      },
      {
        what: 'verify one quote, one thread, against the recovery alone',
        rival: 'libsecp256k1 as the same WASM, on digests and signatures in bytes',
        unit: 'x',
        figure: ratioOf(rates.Firmquote, rates.recovery),
        ...goals.verifyAgainstRecovery,
      },
    ]
  },
}

/** Recovers public keys from digests and signatures in bytes: the work that no encoder can save. */
async function createBareRecovery(hashQuote: (quote: SignedQuote) => Hex): Promise<Side> {
  const { recoverPublicKey } = await loadWasmEngine()
  const prepare = (count: number) =>
    freshSignedQuotes(count).map((signed) => {
      const bytes = hexToBytes(signed.signature)
      // The curve takes the recovery id first.
      const signature = Uint8Array.of((bytes[64] ?? 0) - 27, ...bytes.subarray(0, 64))
      return { digest: hexToBytes(hashQuote(signed)), signature }
    })
  return createSide(prepare, ({ digest, signature }) => recoverPublicKey(signature, digest))
}
