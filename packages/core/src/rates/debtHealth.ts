import { maxUint256 } from '../values/uint256.ts'

/** A debt and its collateral, as Morpho Blue accounts for them. */
export type SecuredDebt = {
  /** Raw units of the loan token. */
  debt: bigint
  /** Raw units of the collateral token. */
  collateral: bigint
  /** The share of the collateral's value that may be borrowed, WAD. */
  lltv: bigint
}

const wad = 1_000_000_000_000_000_000n
/** Scale of prices: raw loan-token units for one raw unit of collateral, times this factor. */
const priceScale = /* @__PURE__ */ (() => 10n ** 36n)()

/**
 * The maximum debt for the collateral divided by the debt, WAD, rounded down. Below 1e18 the debt can be liquidated.
 * Uses Morpho Blue's formula and rounding. Null without a debt, and where Morpho Blue's own arithmetic overflows.
 *
 * @param price The market's oracle price: raw loan-token units for one raw unit of collateral, times 1e36.
 */
export function healthFactor({ debt, collateral, lltv }: SecuredDebt, price: bigint): bigint | null {
  if (debt <= 0n || collateral * price > maxUint256) return null
  const most = (((collateral * price) / priceScale) * lltv) / wad
  const factor = (most * wad) / debt
  return factor > maxUint256 ? null : factor
}

/**
 * The lowest price at which the debt cannot be liquidated: raw loan-token units for one raw unit of collateral, times
 * 1e36. Null without a debt, and where no price is high enough.
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
