import { isSignedByMaker, type SignedQuote } from '@firmquote/core'
import type { AskedQuote } from '@firmquote/core/chain'
import type { Address, Hex } from 'viem'
import type { Signatures } from '../../ports/signatures.ts'

/** How many signatures are remembered as their makers' own: what is listed is listed again and again. */
const remembered = 20_000

/** Recovers whose signatures quotes carry, so that their state can be asked for. */
export type AskedQuotes = (quotes: readonly { quote: SignedQuote; hash: Hex }[]) => Promise<AskedQuote[]>

/**
 * Creates the question after the state of stored quotes. The contract is asked for its verdict only where the signature is
 * not the maker's own.
 */
export function createAskedQuotes({ recoverSigner }: Pick<Signatures, 'recoverSigner'>): AskedQuotes {
  const ownSignatures = new Set<string>()

  const signerOf = async (quote: SignedQuote, hash: Hex): Promise<Address | null> => {
    const key = hash + quote.signature
    if (ownSignatures.has(key)) return quote.maker
    const { signer = null } = await recoverSigner(hash, quote.signature)
    if (!isSignedByMaker(quote, signer)) return signer
    ownSignatures.add(key)
    const [oldest] = ownSignatures
    if (ownSignatures.size > remembered && oldest !== undefined) ownSignatures.delete(oldest)
    return signer
  }

  return (quotes) =>
    Promise.all(
      quotes.map(async ({ quote, hash }) => {
        const signer = await signerOf(quote, hash)
        return { quote, hash, signer, preview: !isSignedByMaker(quote, signer) }
      }),
    )
}
