// Why: docs/decisions/0070-compared-at-maturity.md
import { InvalidInputError } from '../errors.ts'
import type { QuotePrice } from '../quote/quotePrice.ts'
import { checkedPositiveUint256, checkedUint256 } from '../values/checkedUint256.ts'
import { guardInput } from '../values/guardInput.ts'
import { positionPayout } from './positionPayout.ts'

/** The cost of a debt with and without fixing, valued at maturity. Raw units of the loan token, rounded down. */
export type FloatingComparison = {
  /** The floating interest on the notional. */
  floatingCost: bigint
  /** The cost of fixing, with the floating interest that the debt would save if the cost repaid part of it. */
  fixedCost: bigint
  /** The position's payout to the borrower: the floating interest, capped at the notional. */
  payout: bigint
  /**
   * `fixedCost` minus `payout`: how much more the debt costs with fixing. Negative if fixing costs less. Up to a growth
   * of 2, this is `fixedCost` minus `floatingCost`.
   */
  difference: bigint
}

/**
 * Compares a fixed price with the floating rate, valued at maturity. The cost counts as debt that could have been repaid
 * instead. The payout is the contract's.
 *
 * @param price Raw units of the loan token.
 * @param growth The market's index at maturity divided by its index now, in RAY, at least 1 RAY. For a constant rate,
 * this is {@link floatingGrowth}.
 * @throws {InvalidInputError} if the notional is zero, an amount is not a bigint, or the growth is below 1 RAY.
 * @example
 * ```ts
 * // 60 paid today to fix 1,000 for a year, at a constant floating rate of 5 % APR.
 * const price = { notional: 1_000_000_000n, vrtAmount: 60_000_000n }
 * compareWithFloating(price, floatingGrowth(1_585_489_599n, 31_536_000)).difference // 11_805_169n
 * ```
 */
export function compareWithFloating(price: QuotePrice, growth: bigint): FloatingComparison {
  const { notional, vrtAmount } = guardInput('price', () => ({ notional: price.notional, vrtAmount: price.vrtAmount }))
  checkedPositiveUint256(notional, 'notional')
  checkedUint256(vrtAmount, 'vrtAmount')
  if (typeof growth !== 'bigint' || growth < ray) {
    throw new InvalidInputError('must be a bigint of at least 1 RAY (1e27).', { path: 'growth', given: growth })
  }
  const fixedCost = (vrtAmount * growth) / ray
  const { toBorrower: payout } = positionPayout({ notional, cost: vrtAmount, indexAtOpen: ray }, growth)
  const floatingCost = (notional * (growth - ray)) / ray
  return { floatingCost, fixedCost, payout, difference: fixedCost - payout }
}

const ray = /* @__PURE__ */ (() => 10n ** 27n)()
