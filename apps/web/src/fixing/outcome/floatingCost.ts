const wad = 10n ** 18n

/**
 * A debt's cost over a period at the current floating rate, without compounding.
 *
 * @param notional raw units.
 * @param ratePerSec WAD per second.
 * @param seconds length of the period.
 * @returns raw units, rounded down.
 */
export function floatingCost(notional: bigint, ratePerSec: bigint, seconds: number): bigint {
  return (notional * ratePerSec * BigInt(seconds)) / wad
}
