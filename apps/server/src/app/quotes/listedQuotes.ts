import { judgeState, type Rejection, type StoredQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { fundsOf, type Promised, sumPromises } from '../../domain/commitments.ts'
import type { ListedRecord, QuoteRecord } from '../../ports/store.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { AskedQuotes } from './askedQuotes.ts'
import { chainNow } from './judgeQuote.ts'

/** A verdict that is shown with a listed quote. */
export type ListedVerdict = Pick<StoredQuote, 'executable' | 'reason' | 'overcommitted' | 'judgedAt'>

/** A quote with its verdict. */
export type ListedQuote = { kept: QuoteRecord; text: string; verdict: ListedVerdict }

/** Refusals that are for good: such a quote is over, and is not listed even before the sync has seen why. */
const endings: ReadonlySet<Rejection['code']> = new Set([
  'DEADLINE_PASSED',
  'NONCE_MISMATCH',
  'QUOTE_FILLED',
  'QUOTE_CANCELLED',
  'SERIES_EXPIRED',
])

/**
 * Creates the judge of quotes that are about to be listed: those that are over are left out, the others say whether they
 * could be taken at the block that was read, each by itself, and whether their maker has promised more than it has.
 *
 * It throws {@link ChainUnavailableError} when the chain cannot be read; a quote that alone cannot be is not executable.
 */
export function createListingJudge(
  deps: ServiceDeps & { askedQuotes: AskedQuotes },
): (quotes: readonly ListedRecord[]) => Promise<ListedQuote[]> {
  const { chain, clock, store, askedQuotes } = deps

  return async (records) => {
    if (records.length === 0) return []
    const quotes = records.map((record) => ({ text: record.text, kept: record.parse() }))
    const now = chainNow(clock)
    const makers = [...new Set(quotes.map(({ kept }) => kept.quote.maker))]
    const [{ states }, commitments, pools] = await Promise.all([
      askedQuotes(quotes.map(({ kept }) => kept)).then(chain.readKnownQuotes),
      store.listCommitments(makers, now),
      store.listPools(),
    ])
    const tokens = new Map<Hex, Address>(pools.map(({ poolId, loanToken }) => [poolId, loanToken]))
    const promised = sumPromises(
      commitments.flatMap(({ poolId, maker, notional }): Promised[] => {
        const loanToken = tokens.get(poolId)
        return loanToken ? [{ maker, loanToken, notional }] : []
      }),
    )
    return quotes.flatMap(({ kept, text }, index): ListedQuote[] => {
      const state = states[index]
      if (!state) return [{ kept, text, verdict: { executable: false, reason: 'CHAIN_UNAVAILABLE' } }]
      const rejection = judgeState(kept.quote, state, now)
      if (rejection && endings.has(rejection.code)) return []
      const { number, hash } = state.block
      const overcommitted = state.loanToken !== null && promised(kept.quote.maker, state.loanToken) > fundsOf(state)
      return [
        {
          kept,
          text,
          verdict: {
            executable: rejection === null,
            ...(rejection && { reason: reasonOf(rejection) }),
            overcommitted,
            judgedAt: { number, hash },
          },
        },
      ]
    })
  }
}

/** A refusal in one word: the contract's own where the judges have none. */
export function reasonOf(rejection: Rejection): string {
  return rejection.code === 'NOT_EXECUTABLE' ? rejection.reason : rejection.code
}
