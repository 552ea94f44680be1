import type { FixedPosition } from '@firmquote/sdk'

/**
 * A position's payout to one of its sides, in raw units of the loan token:
 * - `soFar` before maturity: the payout at the market's current index;
 * - `due` after maturity: the payout if settled now;
 * - `paid` after settlement.
 */
export type Payout = {
  state: 'soFar' | 'due' | 'paid'
  amount: bigint
  /** `amount` minus the stake: the cost for a borrower, or the fixed amount for a maker. May be negative. */
  gain: bigint
}

/** Returns a position's payout, or null if the service does not report it. Pure. */
export function payoutOf(position: FixedPosition): Payout | null {
  const { role, notional, cost, accrued, settleable, settlement } = position
  const toBorrower = settlement?.toBorrower ?? accrued
  if (toBorrower === undefined) return null
  const amount = role === 'borrower' ? toBorrower : (settlement?.toMaker ?? notional - toBorrower + cost)
  const state = settlement ? 'paid' : settleable ? 'due' : 'soFar'
  return { state, amount, gain: amount - (role === 'borrower' ? cost : notional) }
}
