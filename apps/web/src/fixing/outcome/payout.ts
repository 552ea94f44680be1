import type { FixedPosition } from '@firmquote/sdk'

/**
 * What a position pays the account that holds it, raw units of the loan token:
 * - `soFar` before its maturity: what it would pay if the market's index stayed as it is;
 * - `due` after it: what it pays if it is settled now;
 * - `paid` once it is settled.
 */
export type Payout = {
  state: 'soFar' | 'due' | 'paid'
  amount: bigint
  /** `amount` less what the account has put in: its cost as borrower, the amount that it fixed as maker. May be negative. */
  gain: bigint
}

/** The payout of a position; null where the service does not know it. Pure. */
export function payoutOf(position: FixedPosition): Payout | null {
  const { role, notional, cost, accrued, settleable, settlement } = position
  const toBorrower = settlement?.toBorrower ?? accrued
  if (toBorrower === undefined) return null
  const amount = role === 'borrower' ? toBorrower : (settlement?.toMaker ?? notional - toBorrower + cost)
  const state = settlement ? 'paid' : settleable ? 'due' : 'soFar'
  return { state, amount, gain: amount - (role === 'borrower' ? cost : notional) }
}
