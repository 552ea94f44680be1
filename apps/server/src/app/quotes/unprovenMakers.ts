// Why: docs/decisions/0030-contract-makers.md
import { isSignedByMaker, type SignedQuote } from '@firmquote/core'
import type { Address } from 'viem'
import { isLargeFill } from '../../domain/largeFill.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/**
 * Returns a flag per quote: whether to exclude it from comparisons. A quote is excluded if it is not signed with its
 * maker's key, its maker is not on the operator's list, and none of the maker's quotes has ever been filled. A contract
 * may approve a signature in a read and refuse it in a transaction.
 */
export type UnprovenMakers = (
  quotes: readonly { quote: SignedQuote; signer: Address | null }[],
) => Promise<readonly boolean[]>

/** Creates {@link UnprovenMakers} from synced events, so that all instances agree. */
export function createUnprovenMakers({
  store,
  provenMakers,
}: Pick<ServiceDeps, 'store' | 'provenMakers'>): UnprovenMakers {
  return async (quotes) => {
    const contracts = new Map<string, Address>()
    const keys = quotes.map(({ quote, signer }) => {
      const key = quote.maker.toLowerCase()
      if (isSignedByMaker(quote, signer) || provenMakers?.has(key)) return null
      contracts.set(key, quote.maker)
      return key
    })
    if (contracts.size > 0) {
      const fills = await store.listLargestFills([...contracts.values()], 0n)
      for (const fill of fills) if (isLargeFill(fill)) contracts.delete(fill.maker.toLowerCase())
    }
    return keys.map((key) => key !== null && contracts.has(key))
  }
}
