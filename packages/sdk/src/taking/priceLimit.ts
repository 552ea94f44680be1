import { checkedUint256, guardInput, InvalidInputError, secondsPerYear } from '@firmquote/core'

/**
 * The most that a borrower pays: for the whole requested notional in raw units of the loan token, or as a simple APR in percent
 * (8 means 8 %) over what is left of the series. A quote for a part is held to its share.
 */
export type PriceLimit = { maxVrtAmount: bigint; maxApr?: never } | { maxApr: number; maxVrtAmount?: never }

// Ten decimals of a percent, computed in integers, as core computes rates.
const aprScale = 10n ** 10n

/**
 * Copies a limit, checked. There is always one: without it the best offer that is left could cost anything.
 *
 * @throws {InvalidInputError} when there is none, it is no amount and no percentage, or it has more than one of them.
 */
export function checkedLimit(given: PriceLimit): PriceLimit {
  const { maxVrtAmount, maxApr } = { ...given }
  if ((maxVrtAmount === undefined) === (maxApr === undefined)) {
    throw new InvalidInputError('must have maxVrtAmount or maxApr, exactly one of the two.', { path: 'limit' })
  }
  if (maxApr !== undefined) {
    if (typeof maxApr === 'number' && maxApr >= 0 && maxApr <= 1_000_000) return { maxApr }
    throw new InvalidInputError('must be a percentage from 0 to 1000000.', { path: 'limit.maxApr', given: maxApr })
  }
  return { maxVrtAmount: checkedUint256(maxVrtAmount, 'limit.maxVrtAmount') }
}

/**
 * What a limit comes to for a notional, in raw units of the loan token, rounded down.
 *
 * @param term.expiry when the series ends, Unix seconds.
 * @param term.at from when its term counts, Unix seconds.
 * @throws {InvalidInputError} when an argument is malformed.
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
