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

/** A quote that passed, with the state it passed on; or why it did not. */
export type QuoteVerdict = { rejection: null; state: QuoteState } | { rejection: Rejection; state?: never }

/** What judging a quote needs. */
export type JudgeDeps = {
  chain: Pick<Chain, 'readQuoteStates'>
  clock: Pick<Clock, 'now'>
  domain: QuoteDomain
  interestRatePool: Address
}

/** The time that chain fields are compared with, Unix seconds. */
export function chainNow(clock: Pick<Clock, 'now'>): bigint {
  return BigInt(Math.floor(clock.now() / 1000))
}

/**
 * Judges a quote whose terms have passed (`judgeTerms` needs no chain, so it always comes before) by its state on
 * the chain, read at one block. A chain that cannot be read makes it `CHAIN_UNAVAILABLE`, never fine.
 */
export async function judgeQuote(deps: JudgeDeps, quote: SignedQuote): Promise<QuoteVerdict> {
  const { chain, clock, domain, interestRatePool } = deps
  let state: QuoteState | undefined
  try {
    const { states } = await chain.readQuoteStates([quote])
    state = states[0]
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error
  }
  if (state === undefined) return { rejection: { code: 'CHAIN_UNAVAILABLE' } }
  const rejection = judgeState(quote, state, chainNow(clock))
  if (rejection === null) return { rejection, state }
  if (rejection.code !== 'BAD_SIGNATURE') return { rejection }
  return { rejection: { ...rejection, cause: await explainBadSignature(quote, domain, [interestRatePool]) } }
}
