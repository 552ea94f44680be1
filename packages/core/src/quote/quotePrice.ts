import { InvalidInputError } from '../errors.ts'
import { maxRatePercent, secondsPerYear } from '../rates/rates.ts'
import { checkedPositiveUint256, checkedUint256 } from '../values/checkedUint256.ts'
import { guardInput } from '../values/guardInput.ts'

/** The two amounts that determine a quote's rank in an auction. */
export type QuotePrice = {
  /** Raw units of the loan token. */
  notional: bigint
  /** Raw units of the loan token, for the whole remaining term. */
  vrtAmount: bigint
}

/**
 * Compares quotes so that the best sorts first: by lower `vrtAmount / notional`, compared exactly, and then by larger
 * notional. Returns zero for a tie. The earlier quote wins a tie, so use a stable sort on quotes in order of arrival.
 *
 * @throws {InvalidInputError} if an amount is not a bigint.
 * @example
 * ```ts
 * const prices = [
 *   { notional: 100n, vrtAmount: 6n },
 *   { notional: 60n, vrtAmount: 3n },
 * ]
 * prices.toSorted(comparePrices)[0] // { notional: 60n, vrtAmount: 3n }
 * ```
 */
export function comparePrices(a: QuotePrice, b: QuotePrice): number {
  const [left, right] = guardInput('price', () => [a.vrtAmount * b.notional, b.vrtAmount * a.notional])
  if (left !== right) return left < right ? -1 : 1
  if (a.notional !== b.notional) return a.notional > b.notional ? -1 : 1
  return 0
}

/**
 * Returns a quote's fixed rate as a simple APR in percent (5 means 5 %): `vrtAmount / notional`, times a 365-day year,
 * divided by the remaining seconds. The result is rounded and for display only. Rank quotes with {@link comparePrices}.
 *
 * @param expiry The series' expiry, in Unix seconds.
 * @param at The start of the remaining term, in Unix seconds, before `expiry`.
 * @throws {InvalidInputError} if no time remains, the notional is zero or an amount is not a bigint.
 * @example
 * ```ts
 * // 2.5 % of the notional for half a year.
 * quoteApr({ notional: 1_000_000n, vrtAmount: 25_000n }, 1_783_000_000, 1_783_000_000 - 15_768_000) // 5
 * ```
 */
export function quoteApr(price: QuotePrice, expiry: number, at: number): number {
  const { notional, vrtAmount, left } = checkedTerms(price, expiry, at)
  const scaled = (vrtAmount * BigInt(secondsPerYear) * aprScale) / (notional * BigInt(left))
  return Number(scaled) / aprDivisor
}

/**
 * Returns a quote's effective APY in percent: the constant floating APY at which fixing costs as much as floating. The
 * cost is valued at the expiry, as debt that could have been repaid instead: `(1 - vrtAmount / notional) ** (-year /
 * left) - 1`, times 100, with the remaining seconds as `left` and a year of 365 days. The result is rounded to 1e-6 and
 * for display only. Compare prices across terms with it, and within a series with {@link comparePrices}.
 *
 * Returns null if there is no such rate, because the payout is capped at the notional (`2 * vrtAmount > notional`), or
 * if it exceeds {@link maxRatePercent}.
 *
 * @param expiry The series' expiry, in Unix seconds.
 * @param at The start of the remaining term, in Unix seconds, before `expiry`.
 * @throws {InvalidInputError} if no time remains, the notional is zero or an amount is not a bigint.
 * @example
 * ```ts
 * // 7.15 % of the notional for a year.
 * quoteEffectiveApy({ notional: 1_000_000n, vrtAmount: 71_500n }, 1_783_000_000, 1_783_000_000 - 31_536_000) // 7.700592
 * ```
 */
export function quoteEffectiveApy(price: QuotePrice, expiry: number, at: number): number | null {
  const { notional, vrtAmount, left } = checkedTerms(price, expiry, at)
  if (2n * vrtAmount > notional) return null
  const share = Number((vrtAmount * shareScale) / notional) / shareDivisor
  const percent = Math.expm1(-(secondsPerYear / left) * Math.log1p(-share)) * 100
  return percent > maxRatePercent ? null : Math.round(percent * 1e6) / 1e6
}

function checkedTerms(price: QuotePrice, expiry: number, at: number): QuotePrice & { left: number } {
  const left = guardInput('expiry', () => Math.floor(expiry) - Math.floor(at))
  if (!Number.isSafeInteger(left) || left <= 0) {
    throw new InvalidInputError('must be after the time of the quote.', { path: 'expiry', given: expiry })
  }
  const { notional, vrtAmount } = guardInput('price', () => ({ notional: price.notional, vrtAmount: price.vrtAmount }))
  checkedPositiveUint256(notional, 'notional')
  checkedUint256(vrtAmount, 'vrtAmount')
  return { notional, vrtAmount, left }
}

// Scales a rate to a percentage with ten decimal places, for integer arithmetic.
const aprScale = /* @__PURE__ */ (() => 100n * 10n ** 10n)()
const aprDivisor = 1e10
// Scales the cost's share of the notional. Even the smallest share that yields 1e-6 % then has fifteen digits.
const shareScale = /* @__PURE__ */ (() => 10n ** 30n)()
const shareDivisor = 1e30
