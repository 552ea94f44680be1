import { positionPayout } from '@firmquote/core'

const ray = 10n ** 27n
const wadToRay = 10n ** 9n
const wad = 10n ** 18n

/** A debt that is fixed: both amounts in raw units, the time to its maturity in seconds. */
export type Fixing = { notional: bigint; cost: bigint; seconds: number }

/** What a fixed debt and the same debt without it come to at the maturity, in raw units. */
export type Payoff = {
  /** Floating interest on the notional: it is added to the debt, fixed or not. */
  interest: bigint
  /** What the position pays the borrower. */
  payout: bigint
  /** Cost and interest, less the payout. */
  fixedTotal: bigint
  /** The interest alone. */
  floatingTotal: bigint
}

/**
 * What fixing comes to if the floating rate averages `ratePerSec` (WAD per second) until the maturity, without interest on
 * interest. The payout is the contract's own. Pure.
 */
export function payoffAt({ notional, cost, seconds }: Fixing, ratePerSec: bigint): Payoff {
  const growth = ratePerSec * BigInt(seconds) * wadToRay
  const interest = (notional * growth) / ray
  const { toBorrower: payout } = positionPayout({ notional, cost, indexAtOpen: ray }, ray + growth)
  return { interest, payout, fixedTotal: cost + interest - payout, floatingTotal: interest }
}

/** The average floating rate from which on fixing has paid off, WAD per second, rounded up. Pure. */
export function breakEvenRate({ notional, cost, seconds }: Fixing): bigint {
  const product = notional * BigInt(seconds)
  return (cost * wad + product - 1n) / product
}

/** What a simple rate comes to over a time, raw units, rounded up; `basisPoints` a year of 365 days. Pure. */
export function costOf(notional: bigint, basisPoints: bigint, seconds: number): bigint {
  const yearly = 10_000n * 31_536_000n
  return (notional * basisPoints * BigInt(seconds) + yearly - 1n) / yearly
}
