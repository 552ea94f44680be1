import { InvalidInputError } from '../errors.ts'

/** Seconds of the year that every rate of Firmquote refers to: 365 days, leap years ignored. */
export const secondsPerYear = 31_536_000

/** The largest APR or APY that the rate helpers take, in percent. */
export const maxRatePercent = 1_000_000

/** The largest per-second rate that the rate helpers take, in WAD: {@link maxRatePercent} as an APR, rounded to nearest. */
export const maxRatePerSec = 317_097_919_837_646n

const wad = 1e18

// Below this percentage APR and APY agree in their first fourteen digits, and the way through a second could underflow.
const indistinct = 1e-12

/**
 * Turns a yearly yield into the rate that yields it when compounded every second: `(1 + rate)^31536000 = 1 + apy`.
 *
 * A rate is a whole number of 1e-18 a second, so the result is the exact rate rounded to nearest (up to 1000 %: at most
 * 0.501 units away). One unit is 3.1536e-9 percentage points of APR; `ratePerSecToApy` therefore gives back the same
 * percent to 1e-9 of its value from 1.61 % upwards, and below that to half a unit: 1.58e-9 percentage points, times
 * `1 + apy / 100`.
 *
 * @param apyPercent - APY in percent (5 means 5 %), 0 to {@link maxRatePercent}.
 * @returns WAD (1e18 = 100 %) per second.
 * @throws {InvalidInputError} when `apyPercent` is not a number in that range.
 * @example
 * ```ts
 * apyToRatePerSec(5) // 1_547_125_958n
 * ```
 */
export function apyToRatePerSec(apyPercent: number): bigint {
  return toWad(perSecondFromApy(checkPercent(apyPercent, 'apyPercent')))
}

/**
 * Turns a per-second rate into the yearly yield that it compounds to: `(1 + rate)^31536000 - 1`.
 *
 * @param ratePerSec - WAD (1e18 = 100 %) per second, 0 to {@link maxRatePerSec}.
 * @returns APY in percent, to 1e-9 of its value or better.
 * @throws {InvalidInputError} when `ratePerSec` is not a bigint in that range, or compounds to more than a number can hold
 * (from an APR of about 70,000 % upwards).
 * @example
 * ```ts
 * ratePerSecToApy(1_547_125_958n) // 5.000000000…
 * ```
 */
export function ratePerSecToApy(ratePerSec: bigint): number {
  return apyFromPerSecond(Number(checkRate(ratePerSec)) / wad, 'ratePerSec')
}

/**
 * Turns a simple yearly rate into a per-second rate: `apr / 31536000`.
 *
 * The result is the exact rate rounded to nearest (up to 1000 %: at most 0.501 units of 1e-18 away); `ratePerSecToApr`
 * gives back the same percent to 1e-9 of its value from 1.58 % upwards, and below that to half a unit of 1e-18 a second:
 * 1.58e-9 percentage points.
 *
 * @param aprPercent - APR in percent (5 means 5 %), 0 to {@link maxRatePercent}.
 * @returns WAD (1e18 = 100 %) per second.
 * @throws {InvalidInputError} when `aprPercent` is not a number in that range.
 * @example
 * ```ts
 * aprToRatePerSec(5) // 1_585_489_599n
 * ```
 */
export function aprToRatePerSec(aprPercent: number): bigint {
  return toWad(checkPercent(aprPercent, 'aprPercent') / 100 / secondsPerYear)
}

/**
 * Turns a per-second rate into a simple yearly rate: `rate * 31536000`.
 *
 * @param ratePerSec - WAD (1e18 = 100 %) per second, 0 to {@link maxRatePerSec}.
 * @returns APR in percent, to 1e-9 of its value or better.
 * @throws {InvalidInputError} when `ratePerSec` is not a bigint in that range.
 * @example
 * ```ts
 * ratePerSecToApr(1_585_489_599n) // 4.9999999994064
 * ```
 */
export function ratePerSecToApr(ratePerSec: bigint): number {
  // The product is exact, so all that is lost is lost in turning it into a number.
  return Number(checkRate(ratePerSec) * BigInt(secondsPerYear)) / 1e16
}

/**
 * Turns a yearly yield, compounded every second, into the simple yearly rate behind it.
 * Nothing is rounded to WAD on the way.
 *
 * @param apyPercent - APY in percent, 0 to {@link maxRatePercent}.
 * @returns APR in percent, to 1e-9 of its value or better.
 * @throws {InvalidInputError} when `apyPercent` is not a number in that range.
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
 * Turns a simple yearly rate into the yearly yield that it compounds to, second by second.
 * Nothing is rounded to WAD on the way.
 *
 * @param aprPercent - APR in percent, 0 to {@link maxRatePercent}.
 * @returns APY in percent, to 1e-9 of its value or better.
 * @throws {InvalidInputError} when `aprPercent` is not a number in that range, or compounds to more than a number can hold
 * (from about 70,000 % upwards).
 * @example
 * ```ts
 * aprToApy(5) // 5.127…
 * ```
 */
export function aprToApy(aprPercent: number): number {
  if (checkPercent(aprPercent, 'aprPercent') < indistinct) return aprPercent
  return apyFromPerSecond(aprPercent / 100 / secondsPerYear, 'aprPercent')
}

// log1p and expm1 keep the relative error at a few units in the last place. `(1 + r) ** n - 1` would lose eight digits,
// because a per-second rate is about 1e-9 and vanishes beside the 1.
function perSecondFromApy(apyPercent: number): number {
  return Math.expm1(Math.log1p(apyPercent / 100) / secondsPerYear)
}

function apyFromPerSecond(rate: number, path: string): number {
  const apyPercent = Math.expm1(secondsPerYear * Math.log1p(rate)) * 100
  if (apyPercent < Number.POSITIVE_INFINITY) return apyPercent
  throw new InvalidInputError('compounds to a yield that is too large for a number.', { path })
}

// Within the accepted range a rate stays below 2^53 units, so rounding is not limited by the float's own precision.
function toWad(ratePerSecond: number): bigint {
  return BigInt(Math.round(ratePerSecond * wad))
}

function checkPercent(percent: number, path: string): number {
  if (typeof percent === 'number' && percent >= 0 && percent <= maxRatePercent) return percent
  throw new InvalidInputError(`must be a percentage from 0 to ${maxRatePercent}.`, { path, given: percent })
}

function checkRate(ratePerSec: bigint): bigint {
  if (typeof ratePerSec === 'bigint' && ratePerSec >= 0n && ratePerSec <= maxRatePerSec) return ratePerSec
  throw new InvalidInputError(`must be a bigint from 0 to ${maxRatePerSec}, in WAD per second.`, {
    path: 'ratePerSec',
    given: ratePerSec,
  })
}
