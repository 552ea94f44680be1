import { InvalidInputError } from '../errors.ts'

/** Seconds in the year on which all Firmquote rates are based: 365 days, ignoring leap years. */
export const secondsPerYear = 31_536_000

/** Maximum APR or APY that the rate helpers accept, in percent. */
export const maxRatePercent = 1_000_000

/**
 * Maximum per-second rate that the rate helpers accept, in WAD: {@link maxRatePercent} as an APR, rounded to the
 * nearest unit.
 */
export const maxRatePerSec = 317_097_919_837_646n

const wad = 1e18

// Below this percentage, APR and APY agree to fourteen digits, and the per-second rate could underflow.
const indistinct = 1e-12

/**
 * Converts an annual yield to the per-second rate that compounds to it: `(1 + rate)^31536000 = 1 + apy`.
 *
 * The result is rounded to the nearest 1e-18 per second. Up to 1000 %, the error is at most 0.501 units. One unit is
 * 3.1536e-9 percentage points of APR. For 1.61 % or more, `ratePerSecToApy` returns the original percentage with a
 * relative error of at most 1e-9. Below 1.61 %, the error is at most half a unit: 1.58e-9 percentage points, times `1 +
 * apy / 100`.
 *
 * @param apyPercent - APY in percent (5 means 5 %), 0 to {@link maxRatePercent}.
 * @returns WAD (1e18 = 100 %) per second.
 * @throws {InvalidInputError} if `apyPercent` is not a number in that range.
 * @example
 * ```ts
 * apyToRatePerSec(5) // 1_547_125_958n
 * ```
 */
export function apyToRatePerSec(apyPercent: number): bigint {
  return toWad(perSecondFromApy(checkPercent(apyPercent, 'apyPercent')))
}

/**
 * Converts a per-second rate to its compounded annual yield: `(1 + rate)^31536000 - 1`.
 *
 * @param ratePerSec - WAD (1e18 = 100 %) per second, 0 to {@link maxRatePerSec}.
 * @returns APY in percent, with a relative error of at most 1e-9.
 * @throws {InvalidInputError} if `ratePerSec` is not a bigint in that range, or if the yield is larger than a number
 * can represent (at an APR of about 70,000 % or more).
 * @example
 * ```ts
 * ratePerSecToApy(1_547_125_958n) // 5.000000000…
 * ```
 */
export function ratePerSecToApy(ratePerSec: bigint): number {
  return apyFromPerSecond(Number(checkRate(ratePerSec)) / wad, 'ratePerSec')
}

/**
 * Converts a simple annual rate to a per-second rate: `apr / 31536000`.
 *
 * The result is rounded to the nearest 1e-18 per second. Up to 1000 %, the error is at most 0.501 units. For 1.58 % or
 * more, `ratePerSecToApr` returns the original percentage with a relative error of at most 1e-9. Below 1.58 %, the
 * error is at most half a unit: 1.58e-9 percentage points.
 *
 * @param aprPercent - APR in percent (5 means 5 %), 0 to {@link maxRatePercent}.
 * @returns WAD (1e18 = 100 %) per second.
 * @throws {InvalidInputError} if `aprPercent` is not a number in that range.
 * @example
 * ```ts
 * aprToRatePerSec(5) // 1_585_489_599n
 * ```
 */
export function aprToRatePerSec(aprPercent: number): bigint {
  return toWad(checkPercent(aprPercent, 'aprPercent') / 100 / secondsPerYear)
}

/**
 * Converts a per-second rate to a simple annual rate: `rate * 31536000`.
 *
 * @param ratePerSec - WAD (1e18 = 100 %) per second, 0 to {@link maxRatePerSec}.
 * @returns APR in percent, with a relative error of at most 1e-9.
 * @throws {InvalidInputError} if `ratePerSec` is not a bigint in that range.
 * @example
 * ```ts
 * ratePerSecToApr(1_585_489_599n) // 4.9999999994064
 * ```
 */
export function ratePerSecToApr(ratePerSec: bigint): number {
  // The product is exact, and only its conversion to a number is rounded.
  return Number(checkRate(ratePerSec) * BigInt(secondsPerYear)) / 1e16
}

/**
 * Converts an annual yield, compounded every second, to a simple annual rate, without rounding to WAD in between.
 *
 * @param apyPercent - APY in percent, 0 to {@link maxRatePercent}.
 * @returns APR in percent, with a relative error of at most 1e-9.
 * @throws {InvalidInputError} if `apyPercent` is not a number in that range.
 * @example
 * ```ts
 * apyToApr(5) // 4.879…
 * ```
 */
export function apyToApr(apyPercent: number): number {
  if (checkPercent(apyPercent, 'apyPercent') < indistinct) return apyPercent
  return perSecondFromApy(apyPercent) * secondsPerYear * 100
}

/**
 * Converts a simple annual rate to its annual yield, compounded every second, without rounding to WAD in between.
 *
 * @param aprPercent - APR in percent, 0 to {@link maxRatePercent}.
 * @returns APY in percent, with a relative error of at most 1e-9.
 * @throws {InvalidInputError} if `aprPercent` is not a number in that range, or if the yield is larger than a number
 * can represent (at about 70,000 % or more).
 * @example
 * ```ts
 * aprToApy(5) // 5.127…
 * ```
 */
export function aprToApy(aprPercent: number): number {
  if (checkPercent(aprPercent, 'aprPercent') < indistinct) return aprPercent
  return apyFromPerSecond(aprPercent / 100 / secondsPerYear, 'aprPercent')
}

// log1p and expm1 keep the relative error to a few units in the last place. `(1 + r) ** n - 1` would lose eight digits,
// because it adds a per-second rate of about 1e-9 to 1.
function perSecondFromApy(apyPercent: number): number {
  return Math.expm1(Math.log1p(apyPercent / 100) / secondsPerYear)
}

function apyFromPerSecond(rate: number, path: string): number {
  const apyPercent = Math.expm1(secondsPerYear * Math.log1p(rate)) * 100
  if (apyPercent < Number.POSITIVE_INFINITY) return apyPercent
  throw new InvalidInputError('compounds to a yield too large for a number.', { path })
}

// Accepted rates stay below 2^53 units, so float precision does not limit rounding.
function toWad(ratePerSecond: number): bigint {
  return BigInt(Math.round(ratePerSecond * wad))
}

function checkPercent(percent: number, path: string): number {
  if (typeof percent === 'number' && percent >= 0 && percent <= maxRatePercent) return percent
  throw new InvalidInputError(`must be a percentage from 0 to ${maxRatePercent}.`, { path, given: percent })
}

/** Returns the rate if it is a bigint from 0 to {@link maxRatePerSec}, in WAD per second. */
export function checkRate(ratePerSec: bigint): bigint {
  if (typeof ratePerSec === 'bigint' && ratePerSec >= 0n && ratePerSec <= maxRatePerSec) return ratePerSec
  throw new InvalidInputError(`must be a bigint from 0 to ${maxRatePerSec}, in WAD per second.`, {
    path: 'ratePerSec',
    given: ratePerSec,
  })
}
