import { hashQuote, type QuoteDomain, type SignedQuote } from '@firmquote/core'
import { isSignedByMaker, type QuoteStateQuery } from '@firmquote/core/chain'
import { recoverSigner } from '@firmquote/core/protocol'

/** Builds quote state queries as the service does. */
export function stateQueriesOf(quotes: readonly SignedQuote[], domain: QuoteDomain): Promise<QuoteStateQuery[]> {
  return Promise.all(
    quotes.map(async (quote) => {
      const hash = hashQuote(quote, domain)
      const { signer = null } = await recoverSigner(hash, quote.signature)
      return { quote, hash, signer, preview: !isSignedByMaker(quote, signer) }
    }),
  )
}
