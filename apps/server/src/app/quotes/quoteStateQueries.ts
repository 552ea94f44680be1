import type { SignedQuote } from '@firmquote/core'
import { isSignedByMaker, type QuoteStateQuery } from '@firmquote/core/chain'
import { LRUCache } from 'lru-cache'
import type { Address, Hex } from 'viem'
import type { Signatures } from '../../ports/signatures.ts'

/** Capacity of the cache for verified signatures. Listings repeatedly contain the same quotes. */
const maxVerified = 20_000

/** Recovers quotes' signers and creates queries for their states. */
export type QuoteStateQueries = (quotes: readonly { quote: SignedQuote; hash: Hex }[]) => Promise<QuoteStateQuery[]>

/**
 * Creates {@link QuoteStateQueries} with a cache of verified signatures. Queries include the contract's preview only
 * for quotes not signed with the maker's key.
 */
export function createQuoteStateQueries({ recoverSigner }: Pick<Signatures, 'recoverSigner'>): QuoteStateQueries {
  const verified = new LRUCache<string, true>({ max: maxVerified })

  const signerOf = async (quote: SignedQuote, hash: Hex): Promise<Address | null> => {
    const key = hash + quote.signature
    if (verified.get(key)) return quote.maker
    const { signer = null } = await recoverSigner(hash, quote.signature)
    if (isSignedByMaker(quote, signer)) verified.set(key, true)
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
