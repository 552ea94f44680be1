import { secondsPerYear } from '@firmquote/core'

/** How a demo backer turns a floating rate into a fixed one. */
export type PricingPolicy = {
  /** Added to the floating rate, in hundredths of a percent of simple APR. */
  spreadBps: bigint
  /** Added for every full 30 days of term, in hundredths of a percent. */
  termBpsPerMonth: bigint
}

const wad = 10n ** 18n
const bps = 10_000n
const month = 30n * 86_400n

/**
 * What the whole term costs, in raw units of the loan token, rounded up.
 *
 * @param notional raw units.
 * @param floatingRatePerSec WAD per second.
 * @param secondsLeft until the series expires.
 */
export function priceQuote(
  notional: bigint,
  floatingRatePerSec: bigint,
  secondsLeft: bigint,
  policy: PricingPolicy,
): bigint {
  const spread = policy.spreadBps + policy.termBpsPerMonth * (secondsLeft / month)
  const floating = notional * floatingRatePerSec * secondsLeft * bps * BigInt(secondsPerYear)
  const fixed = notional * spread * secondsLeft * wad
  const scale = wad * bps * BigInt(secondsPerYear)
  return (floating + fixed + scale - 1n) / scale
}
