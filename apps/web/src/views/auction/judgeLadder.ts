import { judgeState, judgeTerms, type QuoteState } from '@firmquote/core'
import type { CollectedQuote, Rejection, RFQResult } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'
import { submissionWindowSeconds } from '../../service/submissionWindow.ts'

/** A quote of the ladder. */
export type LadderRow = {
  collected: CollectedQuote
  /** 1 for the best of those against which nothing is known; null for the others. */
  rank: number | null
  /** Why it cannot be taken. */
  rejection: Rejection | null
  /** What the verdict is based on: the chain now, the service at the time of receipt, or nothing current. */
  basis: 'chain' | 'service' | 'none'
}

/** The acceptance ladder: what can be taken, best first, and what cannot. */
export type AuctionLadder = { takeable: LadderRow[]; others: LadderRow[] }

/**
 * Judges each of an auction's quotes: its terms and its deadline by the clock, and what the chain says where it was read.
 * Pure; the order is the auction's own, best first.
 *
 * @param borrower who would take it; without a wallet, whom the auction was for.
 * @param states by hash, as far as the chain has been read; null without a wallet to ask.
 * @param current whether they are the newest block's. Old ones speak against a quote, never for it.
 * @param now Unix seconds.
 */
export function judgeLadder(
  { poolId, seriesKey, notional, maxVrtAmount, taker, quotes }: RFQResult,
  {
    borrower = taker,
    states,
    current = true,
    now,
  }: { borrower?: Address | undefined; states: ReadonlyMap<Hex, QuoteState> | null; current?: boolean; now: number },
): AuctionLadder {
  const terms = {
    poolId,
    seriesKey,
    notional,
    ...(maxVrtAmount !== undefined && { maxVrtAmount }),
    ...(borrower !== undefined && { taker: borrower }),
    lifetime: { min: submissionWindowSeconds, max: Number.MAX_SAFE_INTEGER },
  }
  const ladder: AuctionLadder = { takeable: [], others: [] }
  for (const collected of quotes) {
    const { hash, quote } = collected
    const state = states?.get(hash)
    const clock = BigInt(Math.floor(now))
    // A page's clock may be behind: what the chain knows to have passed has passed.
    const time = state && state.block.timestamp > clock ? state.block.timestamp : clock
    const rejection = judgeTerms(quote, terms, time) ?? (state ? judgeState(quote, state, time) : null)
    const basis = states === null ? 'service' : state && current ? 'chain' : 'none'
    const row: LadderRow = { collected, rejection, basis, rank: null }
    if (rejection) ladder.others.push(row)
    else ladder.takeable.push({ ...row, rank: ladder.takeable.length + 1 })
  }
  return ladder
}
