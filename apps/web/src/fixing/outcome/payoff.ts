import { positionPayout } from '@firmquote/core'

const ray = 10n ** 27n
const wadToRay = 10n ** 9n
const wad = 10n ** 18n

/** A fixed debt. Amounts are in raw units; the time to maturity is in seconds. */
export type Fixing = { notional: bigint; cost: bigint; seconds: number }

/** A debt's totals at maturity with and without fixing, in raw units. */
export type Payoff = {
  /** Floating interest on the notional, which accrues with and without fixing. */
  interest: bigint
  /** The position's payout to the borrower. */
  payout: bigint
  /** The total with fixing: cost plus interest, minus the payout. */
  fixedTotal: bigint
  /** Total without fixing: the interest. */
  floatingTotal: bigint
}

/**
 * Returns the result of fixing if the floating rate averages `ratePerSec` (WAD per second) until maturity, without
 * compounding. Uses the contract's payout formula. Pure.
 */
export function payoffAt({ notional, cost, seconds }: Fixing, ratePerSec: bigint): Payoff {
  const growth = ratePerSec * BigInt(seconds) * wadToRay
  const interest = (notional * growth) / ray
  const { toBorrower: payout } = positionPayout({ notional, cost, indexAtOpen: ray }, ray + growth)
  return { interest, payout, fixedTotal: cost + interest - payout, floatingTotal: interest }
}

/** Returns the break-even average floating rate, in WAD per second, rounded up. Pure. */
export function breakEvenRate({ notional, cost, seconds }: Fixing): bigint {
  const product = notional * BigInt(seconds)
  return (cost * wad + product - 1n) / product
}

/** Returns simple interest in raw units, rounded up. `basisPoints` is the rate per year of 365 days. Pure. */
export function costOf(notional: bigint, basisPoints: bigint, seconds: number): bigint {
  const yearly = 10_000n * 31_536_000n
  return (notional * basisPoints * BigInt(seconds) + yearly - 1n) / yearly
}
