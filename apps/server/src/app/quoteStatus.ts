import { judgeState, type QuoteState, type QuoteStatus } from '@firmquote/core'
import type { KeptQuote } from '../ports/store.ts'
import { chainNow } from './judgeQuote.ts'
import type { ServiceDeps } from './serviceDeps.ts'

/** Looks at the chain for what has become of stored quotes. Throws {@link ChainUnavailableError} when it cannot. */
export type QuoteStatusReader = {
  /** Those of the quotes that could be taken now, in their order. */
  executable(quotes: readonly KeptQuote[]): Promise<KeptQuote[]>
  /** The quote with its status as of now. */
  current(quote: KeptQuote): Promise<KeptQuote>
}

/**
 * Creates the reader. What it sees on the way (filled, cancelled, nonce raised, or undone by a reorganisation) is written
 * back into the store.
 */
export function createQuoteStatusReader(deps: ServiceDeps): QuoteStatusReader {
  const { chain, clock, store, log } = deps

  const refresh = (kept: KeptQuote, state: QuoteState): KeptQuote => {
    const status = statusOf(kept, state, chainNow(clock))
    // Expiry is a matter of the clock, so it is never written: a quote that is filled in its last second stays findable.
    if (status === 'expired') return kept.status === 'active' ? { ...kept, status } : kept
    if (status === kept.status) return kept
    const { number: blockNumber, hash: blockHash } = state.block
    const seenAt = status === 'active' ? undefined : { blockNumber, blockHash }
    store.setQuoteStatus(kept.hash, status, seenAt).catch((error: unknown) => {
      log.warn({ err: error, hash: kept.hash }, "a quote's status could not be stored")
    })
    const { seenAt: _, ...rest } = kept
    return { ...rest, status, ...(seenAt ? { seenAt } : {}) }
  }

  return {
    async executable(quotes) {
      if (quotes.length === 0) return []
      const { states } = await chain.readQuoteStates(quotes.map(({ quote }) => quote))
      return quotes.flatMap((kept, index) => {
        const state = states[index]
        if (!state) return []
        const current = refresh(kept, state)
        // Without money, allowance or capacity a quote is not over, but it must not be shown as one that can be taken.
        return judgeState(kept.quote, state, chainNow(clock)) === null ? [current] : []
      })
    },

    async current(kept) {
      const { states } = await chain.readQuoteStates([kept.quote])
      const [state] = states
      return state ? refresh(kept, state) : kept
    },
  }
}

function statusOf({ quote }: KeptQuote, state: QuoteState, now: bigint): QuoteStatus {
  if (state.status !== 'open') return state.status
  const time = now > state.block.timestamp ? now : state.block.timestamp
  if (quote.deadline < time || (state.series !== null && BigInt(state.series.expiry) <= time)) return 'expired'
  return quote.nonce === state.makerNonce ? 'active' : 'nonce_raised'
}
