import { positionPayout } from '@firmquote/core'

const ray = 10n ** 27n
const wadToRay = 10n ** 9n
const wad = 10n ** 18n

/** A fixed debt: amounts in raw units, time to maturity in seconds. */
export type Fixing = { notional: bigint; cost: bigint; seconds: number }

/** Totals at maturity of a debt with and without fixing, in raw units. */
export type Payoff = {
  /** Floating interest on the notional. The debt accrues it in both cases. */
  interest: bigint
  /** The position's payout to the borrower. */
  payout: bigint
  /** Cost plus interest, minus the payout. */
  fixedTotal: bigint
  /** The interest. */
  floatingTotal: bigint
}

/**
 * The result of fixing if the floating rate averages `ratePerSec` (WAD per second) until maturity, without compounding.
 * Uses the contract's payout formula. Pure.
 */
export function payoffAt({ notional, cost, seconds }: Fixing, ratePerSec: bigint): Payoff {
  const growth = ratePerSec * BigInt(seconds) * wadToRay
  const interest = (notional * growth) / ray
  const { toBorrower: payout } = positionPayout({ notional, cost, indexAtOpen: ray }, ray + growth)
  return { interest, payout, fixedTotal: cost + interest - payout, floatingTotal: interest }
}

/** The break-even average floating rate, in WAD per second, rounded up. Pure. */
export function breakEvenRate({ notional, cost, seconds }: Fixing): bigint {
  const product = notional * BigInt(seconds)
  return (cost * wad + product - 1n) / product
}

/** The amount that a simple rate accrues, in raw units, rounded up. `basisPoints` per year of 365 days. Pure. */
export function costOf(notional: bigint, basisPoints: bigint, seconds: number): bigint {
  const yearly = 10_000n * 31_536_000n
  return (notional * basisPoints * BigInt(seconds) + yearly - 1n) / yearly
}
