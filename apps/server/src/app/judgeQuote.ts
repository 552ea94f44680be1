import {
  ChainUnavailableError,
  explainBadSignature,
  judgeState,
  type QuoteDomain,
  type QuoteState,
  type Rejection,
  type SignedQuote,
} from '@firmquote/core'
import type { Address } from 'viem'
import type { Chain } from '../ports/chain.ts'
import type { Clock } from '../ports/clock.ts'
import type { SyncSettings } from './syncSettings.ts'

/** A quote that passed, with the state it passed on; or why it did not. */
export type QuoteVerdict = { rejection: null; state: QuoteState } | { rejection: Rejection; state?: never }

/** What judging a quote needs. */
export type JudgeDeps = {
  chain: Pick<Chain, 'readQuoteStates'>
  clock: Pick<Clock, 'now'>
  domain: QuoteDomain
  interestRatePool: Address
  sync: Pick<SyncSettings, 'headStaleSeconds'>
}

/** The time that chain fields are compared with, Unix seconds. */
export function chainNow(clock: Pick<Clock, 'now'>): bigint {
  return BigInt(Math.floor(clock.now() / 1000))
}

/**
 * Judges a quote whose terms have passed (`judgeTerms` needs no chain, so it always comes before) by its state on
 * the chain, read at one block. A chain that cannot be read, or only as it was a while ago, makes it
 * `CHAIN_UNAVAILABLE`, never fine.
 */
export async function judgeQuote(deps: JudgeDeps, quote: SignedQuote): Promise<QuoteVerdict> {
  const { chain, clock, domain, interestRatePool, sync } = deps
  let state: QuoteState | undefined
  try {
    const { states } = await chain.readQuoteStates([quote])
    state = states[0]
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error
  }
  const now = chainNow(clock)
  // A node whose newest block is old does not know what has happened since.
  if (state === undefined || now - state.block.timestamp > BigInt(sync.headStaleSeconds)) {
    return { rejection: { code: 'CHAIN_UNAVAILABLE' } }
  }
  const rejection = judgeState(quote, state, now)
  if (rejection === null) return { rejection, state }
  if (rejection.code !== 'BAD_SIGNATURE') return { rejection }
  return { rejection: { ...rejection, cause: await explainBadSignature(quote, domain, [interestRatePool]) } }
}
