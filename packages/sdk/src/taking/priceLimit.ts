import { secondsPerYear } from '@firmquote/core'
import { checkedUint256, guardInput } from '@firmquote/core/utils'
import { InvalidInputError } from '../coreErrors.ts'

/**
 * The maximum price, either as an amount for the entire requested notional, in raw units of the loan token, or as a
 * simple APR in percent (8 means 8 %) over the series' remaining term. The cost of a quote for part of the notional
 * must not exceed that part's share of the limit. Because 0.07 is often meant as 7 %, an APR between 0 and 0.5 needs
 * `unit: 'percent'`.
 */
export type PriceLimit =
  | { maxVrtAmount: bigint; maxApr?: never; unit?: never }
  | { maxApr: number; unit?: 'percent' | undefined; maxVrtAmount?: never }

// Percentages are scaled to ten decimal places, so that the arithmetic uses integers, as in core.
const aprScale = 10n ** 10n

/**
 * Validates and copies a limit. A limit is required, because the best remaining offer could be arbitrarily expensive.
 *
 * @throws {InvalidInputError} if the limit is missing or malformed, or if both kinds are given.
 */
export function checkedLimit(given: PriceLimit): PriceLimit {
  const { maxVrtAmount, maxApr, unit } = { ...given }
  if ((maxVrtAmount === undefined) === (maxApr === undefined)) {
    throw new InvalidInputError('must have exactly one of maxVrtAmount and maxApr.', { path: 'limit' })
  }
  if (maxApr !== undefined) {
    if (typeof maxApr !== 'number' || !(maxApr >= 0 && maxApr <= 1_000_000)) {
      throw new InvalidInputError('must be a percentage from 0 to 1000000.', { path: 'limit.maxApr', given: maxApr })
    }
    if (maxApr > 0 && maxApr < 0.5 && unit !== 'percent') {
      throw new InvalidInputError(
        `means ${maxApr} %. Pass ${+(maxApr * 100).toPrecision(12)} for ${+(maxApr * 100).toPrecision(12)} %, or add unit: 'percent'.`,
        { path: 'limit.maxApr', given: maxApr },
      )
    }
    return { maxApr, unit }
  }
  return { maxVrtAmount: checkedUint256(maxVrtAmount, 'limit.maxVrtAmount') }
}

/**
 * Returns the maximum cost of a notional under a limit, in raw units of the loan token. Rounds down.
 *
 * @param notional In raw units of the loan token.
 * @param term The time for which the rate is fixed.
 * @param term.expiry The expiry of the series, Unix seconds.
 * @param term.at The start of the term, Unix seconds.
 * @throws {InvalidInputError} if an argument is malformed.
 * @example
 * ```ts
 * // 8 % of 250,000 for a year.
 * const year2026 = { at: 1_767_225_600n, expiry: 1_798_761_600 }
 * maxVrtAmountOf({ maxApr: 8 }, 250_000_000_000n, year2026) // 20_000_000_000n
 * ```
 */
export function maxVrtAmountOf(limit: PriceLimit, notional: bigint, term: { expiry: number; at: bigint }): bigint {
  const { maxVrtAmount, maxApr } = checkedLimit(limit)
  checkedUint256(notional, 'notional')
  if (maxApr === undefined) return maxVrtAmount
  return guardInput('term', () => {
    const left = BigInt(term.expiry) - term.at
    if (left <= 0n) return 0n
    const scaled = BigInt(Math.floor(maxApr * Number(aprScale)))
    return (notional * scaled * left) / (100n * aprScale * BigInt(secondsPerYear))
  })
}
