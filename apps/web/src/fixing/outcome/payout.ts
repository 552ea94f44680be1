import type { FixedPosition } from '@firmquote/sdk'

/**
 * A position's payout to the account that holds it, in raw units of the loan token:
 * - `soFar` before maturity: the payout at the market's current index;
 * - `due` after maturity: the payout if settled now;
 * - `paid` after settlement.
 */
export type Payout = {
  state: 'soFar' | 'due' | 'paid'
  amount: bigint
  /** `amount` minus the account's stake: the cost for a borrower, the fixed amount for a maker. May be negative. */
  gain: bigint
}

/** A position's payout; null if the service does not know it. Pure. */
export function payoutOf(position: FixedPosition): Payout | null {
  const { role, notional, cost, accrued, settleable, settlement } = position
  const toBorrower = settlement?.toBorrower ?? accrued
  if (toBorrower === undefined) return null
  const amount = role === 'borrower' ? toBorrower : (settlement?.toMaker ?? notional - toBorrower + cost)
  const state = settlement ? 'paid' : settleable ? 'due' : 'soFar'
  return { state, amount, gain: amount - (role === 'borrower' ? cost : notional) }
}
