import { InvalidInputError } from './errors.ts'
import { secondsPerYear } from './rates.ts'

/** What decides between two quotes of one auction. */
export type QuotePrice = {
  /** Raw units of the loan token. */
  notional: bigint
  /** Raw units of the loan token, for the whole remaining term. */
  vrtAmount: bigint
}

/**
 * Orders quotes best first: the lowest `vrtAmount / notional`, compared exactly; then the larger notional. Zero means a
 * tie, which the earlier arrival wins: sort with a stable sort, in order of arrival.
 */
export function comparePrices(a: QuotePrice, b: QuotePrice): number {
  const left = a.vrtAmount * b.notional
  const right = b.vrtAmount * a.notional
  if (left !== right) return left < right ? -1 : 1
  if (a.notional !== b.notional) return a.notional > b.notional ? -1 : 1
  return 0
}

/**
 * The fixed rate of a quote as simple APR in percent (5 means 5 %): `vrtAmount / notional`, times one year of 365 days
 * over the seconds that are left. For people to read; {@link comparePrices} decides.
 *
 * @param expiry when the series ends, Unix seconds.
 * @param at when the rate is looked at, Unix seconds; before `expiry`.
 * @throws {InvalidInputError} when no time is left or the notional is zero.
 */
export function quoteApr(price: QuotePrice, expiry: number, at: number): number {
  const left = Math.floor(expiry) - Math.floor(at)
  if (left <= 0) throw new InvalidInputError('must be after the time of the quote.', { path: 'expiry' })
  if (price.notional <= 0n) throw new InvalidInputError('must be above zero.', { path: 'notional' })
  const scaled = (price.vrtAmount * BigInt(secondsPerYear) * aprScale) / (price.notional * BigInt(left))
  return Number(scaled) / aprDivisor
}

// Ten decimals of a percent, computed in integers.
const aprScale = 100n * 10n ** 10n
const aprDivisor = 1e10
