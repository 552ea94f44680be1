import { apyToRatePerSec, compareWithFloating, floatingGrowth } from '@firmquote/sdk'

/** A fixed debt. Amounts are in raw units; the time to maturity is in seconds. */
export type Fixing = { notional: bigint; cost: bigint; seconds: number }

/** A debt's costs at maturity with and without fixing, in raw units. */
export type Payoff = {
  /** The cost of fixing, with the floating interest that it would have saved. */
  fixedCost: bigint
  /** Floating interest on the notional, which accrues with and without fixing. */
  interest: bigint
  /** The position's payout to the borrower. */
  payout: bigint
  /** The total with fixing: cost plus interest, minus the payout. */
  fixedTotal: bigint
  /** The total without fixing: the interest. */
  floatingTotal: bigint
}

/** Returns the result of fixing if the floating rate averages `apy` percent until maturity. Pure. */
export function payoffAt({ notional, cost, seconds }: Fixing, apy: number): Payoff {
  const growth = floatingGrowth(apyToRatePerSec(apy), seconds)
  const compared = compareWithFloating({ notional, vrtAmount: cost }, growth)
  const { fixedCost, floatingCost: interest, payout, difference } = compared
  return { fixedCost, interest, payout, fixedTotal: interest + difference, floatingTotal: interest }
}
