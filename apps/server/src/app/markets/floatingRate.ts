import { InvalidInputError, ratePerSecToApr, ratePerSecToApy, secondsPerYear } from '@firmquote/core'

/** A floating rate in every form that is shown. */
export type FloatingRate = { ratePerSec: bigint; apr: number; apy: number }

/**
 * A market's rate for people to read, in percent. A market may be as mad as it likes: what is beyond the rate helpers
 * shows its plain APR, and a yield that no number can hold as the largest number.
 *
 * @param ratePerSec WAD per second.
 */
export function floatingRate(ratePerSec: bigint): FloatingRate {
  return {
    ratePerSec,
    apr: unlessBeyond(() => ratePerSecToApr(ratePerSec), Number(ratePerSec * BigInt(secondsPerYear)) / 1e16),
    apy: unlessBeyond(() => ratePerSecToApy(ratePerSec), Number.MAX_VALUE),
  }
}

function unlessBeyond(rate: () => number, beyond: number): number {
  try {
    return rate()
  } catch (error) {
    if (error instanceof InvalidInputError) return beyond
    throw error
  }
}
