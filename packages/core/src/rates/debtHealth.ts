import { maxUint256 } from '../values/uint256.ts'

/** A debt and its collateral on Morpho Blue. */
export type SecuredDebt = {
  /** Raw units of the loan token. */
  debt: bigint
  /** Raw units of the collateral token. */
  collateral: bigint
  /** The liquidation loan-to-value ratio, in WAD. */
  lltv: bigint
}

const wad = 1_000_000_000_000_000_000n
/** Scale of prices. A price is raw loan-token units per raw unit of collateral, times this factor. */
const priceScale = /* @__PURE__ */ (() => 10n ** 36n)()

/**
 * Returns the maximum debt that the collateral supports, divided by the debt, in WAD, rounded down. Below 1e18, the
 * debt can be liquidated. Uses Morpho Blue's formula and rounding. Returns null if there is no debt or Morpho Blue's
 * own arithmetic would overflow.
 *
 * @param price The market's oracle price: raw loan-token units per raw unit of collateral, times 1e36.
 * @example
 * ```ts
 * const debt = { debt: 1_000_000_000n, collateral: 10n ** 18n, lltv: 860_000_000_000_000_000n }
 * healthFactor(debt, 2_000n * 10n ** 24n) // 1_720_000_000_000_000_000n
 * ```
 */
export function healthFactor({ debt, collateral, lltv }: SecuredDebt, price: bigint): bigint | null {
  if (debt <= 0n || collateral * price > maxUint256) return null
  const most = (((collateral * price) / priceScale) * lltv) / wad
  const factor = (most * wad) / debt
  return factor > maxUint256 ? null : factor
}

/**
 * Returns the lowest price at which the debt cannot be liquidated, in raw loan-token units per raw unit of collateral,
 * times 1e36. Returns null if there is no debt or no price is high enough.
 *
 * @example
 * ```ts
 * const debt = { debt: 860_000_000n, collateral: 10n ** 18n, lltv: 860_000_000_000_000_000n }
 * liquidationPrice(debt) // 1_000_000_000_000_000_000_000_000_000n
 * ```
 */
export function liquidationPrice({ debt, collateral, lltv }: SecuredDebt): bigint | null {
  if (debt <= 0n || collateral <= 0n || lltv <= 0n) return null
  const worth = divideUp(debt * wad, lltv)
  const price = divideUp(worth * priceScale, collateral)
  return collateral * price > maxUint256 ? null : price
}

function divideUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by
}
