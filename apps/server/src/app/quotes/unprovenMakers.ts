// Why: docs/decisions/0030-contract-makers.md

import type { SignedQuote } from '@firmquote/core'
import { isSignedByMaker } from '@firmquote/core/chain'
import { type Address, isAddressEqual } from 'viem'
import { provesFor } from '../../domain/fills.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/**
 * Returns, for each quote, whether to exclude it from comparisons. A quote is excluded if it is not signed with its
 * maker's key, its maker is not on the operator's list, and no fill by the maker in the same loan token proves it for
 * the quote's size ({@link provesFor}).
 */
export type UnprovenMakers = (
  quotes: readonly { quote: SignedQuote; signer: Address | null }[],
) => Promise<readonly boolean[]>

/** Creates {@link UnprovenMakers}, which uses only synced events, so that all instances agree. */
export function createUnprovenMakers({
  store,
  provenMakers,
}: Pick<ServiceDeps, 'store' | 'provenMakers'>): UnprovenMakers {
  return async (quotes) => {
    const isContract = quotes.map(
      ({ quote, signer }) => !isSignedByMaker(quote, signer) && !provenMakers?.has(quote.maker.toLowerCase()),
    )
    const contracts = new Set(quotes.filter((_, index) => isContract[index]).map(({ quote }) => quote.maker))
    if (contracts.size === 0) return isContract
    const [pools, fills] = await Promise.all([store.listPools(), store.listLargestFills([...contracts], 0n)])
    const tokens = new Map(pools.map(({ poolId, loanToken }) => [poolId, loanToken]))
    return quotes.map(
      ({ quote }, index) =>
        isContract[index] === true &&
        !fills.some(
          ({ maker, poolId, notional }) =>
            isAddressEqual(maker, quote.maker) &&
            tokens.get(poolId) === tokens.get(quote.poolId) &&
            provesFor(notional, quote.notional),
        ),
    )
  }
}
