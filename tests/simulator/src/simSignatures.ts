import { hash } from 'node:crypto'
import { ChainUnavailableError, type QuoteMarketQuote, type Recovery, type SignedQuote } from '@firmquote/core'
import { type Address, getAddress, type Hex } from 'viem'
import { OverloadedError } from '../../../apps/server/src/ports/errors.ts'
import type { Signatures } from '../../../apps/server/src/ports/signatures.ts'
import type { HasDefect } from './defects.ts'
import type { Life } from './life.ts'
import type { Random } from './random.ts'

/** A quote's digest. The digest only needs to be unique per quote. */
export function simDigest(quote: QuoteMarketQuote): Hex {
  const { maker, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt } = quote
  const amounts = `${notional}|${vrtAmount}|${nonce}|${deadline}`
  return `0x${hash('sha256', `${maker}|${taker}|${poolId}|${seriesKey}|${amounts}|${salt}`.toLowerCase())}`
}

/** Signs a quote. The signature is the address plus a keyed hash that only this module can compute. */
export function simSign(quote: QuoteMarketQuote, signer: Address): SignedQuote {
  return { ...quote, signature: signatureOf(simDigest(quote), signer) }
}

/** Signs a digest. */
export function signatureOf(digest: Hex, signer: Address): Hex {
  const account = signer.slice(2).toLowerCase()
  return `0x${hash('sha256', `key of ${account}|${digest}`)}${'00'.repeat(12)}${account}1b`
}

/** Recovers a digest's signer. As with ECDSA, a signature over another digest recovers a different address. */
export function simRecover(digest: Hex, signature: Hex): Recovery {
  if (signature.length !== 132) return { fault: 'not_65_bytes' }
  const signer: Address = `0x${signature.slice(90, 130)}`
  if (signatureOf(digest, signer) === signature) return { signer: getAddress(signer) }
  return { signer: getAddress(`0x${hash('sha256', digest + signature).slice(0, 40)}`) }
}

/**
 * Creates one life's signature verifier. The verifier answers after a delay, or rejects if its threads are overloaded.
 *
 * @param onOverloaded called with each digest rejected because of overload.
 */
export function createSimSignatures(
  life: Life,
  { random, overloads }: { random: Random; overloads: boolean },
  onOverloaded: (digest: Hex) => void,
  has: HasDefect,
): Signatures {
  const makers = new Map<Hex, Address>()
  return {
    hashQuote(quote) {
      const digest = simDigest(quote)
      if (has('forged signature accepted')) makers.set(digest, quote.maker)
      return digest
    },
    recoverSigner: (digest, signature) =>
      new Promise((resolve, reject) => {
        if (overloads && random.chance(0.01)) {
          onOverloaded(digest)
          reject(
            has('overload reported as chain failure') ? new ChainUnavailableError('No time.') : new OverloadedError(),
          )
          return
        }
        // A recovery is occasionally slow, so that verdicts may overtake each other.
        life.after(random.chance(0.1) ? random.between(20, 300) : random.below(4), () =>
          resolve(makers.has(digest) ? { signer: makers.get(digest) as Address } : simRecover(digest, signature)),
        )
      }),
  }
}
