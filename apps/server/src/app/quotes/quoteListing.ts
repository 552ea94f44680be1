import type { QuoteStatus, Rejection, StoredQuote } from '@firmquote/core'
import { judgeState } from '@firmquote/core/chain'
import type { Address, Hex } from 'viem'
import { fundsOf, type OpenNotional, sumOpenNotional } from '../../domain/openNotional.ts'
import type { ListedRecord, QuoteRecord } from '../../ports/store.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { type QuoteRates, quoteRatesAt } from './quoteRates.ts'
import type { QuoteStateQueries } from './quoteStateQueries.ts'
import { quoteStatusAt } from './quoteStatus.ts'
import type { UnfundedMakers } from './unfundedMakers.ts'
import type { UnprovenMakers } from './unprovenMakers.ts'

/** The verdict shown with a listed quote. */
export type ListedVerdict = Pick<StoredQuote, 'executable' | 'reason' | 'overcommitted' | 'judgedAt' | 'unproven'>

/** A listed quote as a record and as JSON text, with its verdict, status and rates from the same time. */
export type ListingEntry = {
  kept: QuoteRecord
  text: string
  status: QuoteStatus
  rates: QuoteRates
  verdict: ListedVerdict
}

/** The dependencies of {@link createQuoteListing}. */
export type ListingDeps = Pick<ServiceDeps, 'chain' | 'store'> & {
  quoteStateQueries: QuoteStateQueries
  unprovenMakers: UnprovenMakers
  unfundedMakers: UnfundedMakers
}

/**
 * Final rejections. A quote with one of these codes is not listed, even before the sync reads the event that ended it.
 */
const finalCodes: ReadonlySet<Rejection['code']> = new Set([
  'DEADLINE_PASSED',
  'NONCE_MISMATCH',
  'QUOTE_FILLED',
  'QUOTE_CANCELLED',
  'SERIES_EXPIRED',
])
/** Rejections that remove a quote from lists by rate until its maker has funds. */
const unfundedCodes: ReadonlySet<Rejection['code']> = new Set(['INSUFFICIENT_BALANCE', 'INSUFFICIENT_ALLOWANCE'])

/**
 * Creates the function that turns stored quotes into a listing. It omits quotes that have ended. For each remaining
 * quote, it reports whether the quote alone is executable at the block read, and whether the maker's open notional
 * exceeds the maker's funds. With `fundedOnly`, it also omits quotes whose makers cannot fund them.
 *
 * The function throws {@link ChainUnavailableError} if the chain cannot be read. If a single quote's state cannot be
 * read, that quote is listed as not executable.
 *
 * @param time returns the `quoteTime`.
 */
export function createQuoteListing(
  deps: ListingDeps,
  time: () => bigint,
): (quotes: readonly ListedRecord[], options?: { fundedOnly?: boolean }) => Promise<ListingEntry[]> {
  const { chain, store, quoteStateQueries, unprovenMakers, unfundedMakers } = deps

  return async (records, { fundedOnly = false } = {}) => {
    if (records.length === 0) return []
    const quotes = records.map((record) => ({ text: record.text, kept: record.parse() }))
    const now = time()
    const makers = [...new Set(quotes.map(({ kept }) => kept.quote.maker))]
    const queries = await quoteStateQueries(quotes.map(({ kept }) => kept))
    const [{ block, states }, unproven, openQuotes, pools] = await Promise.all([
      chain.readKnownQuotes(queries),
      unprovenMakers(queries),
      store.listCommitments(makers, now),
      store.listPools(),
    ])
    if (fundedOnly) {
      unfundedMakers.note(
        quotes.map(({ kept }) => kept.quote),
        states,
      )
      await unfundedMakers.check([], block)
    }
    const tokens = new Map<Hex, Address>(pools.map(({ poolId, loanToken }) => [poolId, loanToken]))
    const openNotional = sumOpenNotional(
      openQuotes.flatMap(({ poolId, maker, notional }): OpenNotional[] => {
        const loanToken = tokens.get(poolId)
        return loanToken ? [{ maker, loanToken, notional }] : []
      }),
    )
    return quotes.flatMap(({ kept, text }, index): ListingEntry[] => {
      const state = states[index]
      const status = quoteStatusAt(kept, now)
      const seriesExpiry = kept.seriesExpiry ?? state?.series?.expiry
      const rates = quoteRatesAt({ ...kept, ...(seriesExpiry !== undefined && { seriesExpiry }) }, now)
      const label = unproven[index] ? { unproven: true } : {}
      const entry = { kept, text, status, rates }
      if (!state) return [{ ...entry, verdict: { executable: false, reason: 'CHAIN_UNAVAILABLE', ...label } }]
      const rejection = judgeState(kept.quote, state, now)
      if (rejection && finalCodes.has(rejection.code)) return []
      if (fundedOnly && rejection && unfundedCodes.has(rejection.code)) return []
      const { number, hash } = state.block
      const overcommitted = state.loanToken !== null && openNotional(kept.quote.maker, state.loanToken) > fundsOf(state)
      return [
        {
          ...entry,
          verdict: {
            executable: rejection === null,
            ...(rejection && { reason: reasonOf(rejection) }),
            overcommitted,
            judgedAt: { number, hash },
            ...label,
          },
        },
      ]
    })
  }
}

/** A rejection's public reason: its code, or the contract's reason for `NOT_EXECUTABLE`. */
export function reasonOf(rejection: Rejection): string {
  return rejection.code === 'NOT_EXECUTABLE' ? rejection.reason : rejection.code
}
