const wad = 10n ** 18n

/**
 * What a debt costs over some time at today's floating rate, without interest on interest.
 *
 * @param notional raw units.
 * @param ratePerSec WAD per second.
 * @param seconds how long.
 * @returns raw units, rounded down.
 */
export function floatingCost(notional: bigint, ratePerSec: bigint, seconds: number): bigint {
  return (notional * ratePerSec * BigInt(seconds)) / wad
}
