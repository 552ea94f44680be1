const wad = 10n ** 18n

/**
 * Returns the cost of a debt over a period at the current floating rate, without compounding.
 *
 * @param notional Raw units.
 * @param ratePerSec WAD per second.
 * @param seconds Length of the period.
 * @returns The cost in raw units, rounded down.
 */
export function floatingCost(notional: bigint, ratePerSec: bigint, seconds: number): bigint {
  return (notional * ratePerSec * BigInt(seconds)) / wad
}
