import { maxUint256 } from '../values/uint256.ts'

/** What secures a debt, as Morpho Blue counts it. */
export type SecuredDebt = {
  /** Raw units of the loan token. */
  debt: bigint
  /** Raw units of the collateral token. */
  collateral: bigint
  /** The part of the collateral's worth that may be owed, WAD. */
  lltv: bigint
}

const wad = 1_000_000_000_000_000_000n
/** Prices are raw loan-token units for one raw unit of collateral, times this. */
const priceScale = /* @__PURE__ */ (() => 10n ** 36n)()

/**
 * What may be owed against the collateral, divided by the debt, WAD, rounded down: below 1e18 the debt can be liquidated. Exactly
 * what Morpho Blue decides by, with its roundings. Null without a debt, and where Morpho Blue could not compute it either.
 *
 * @param price what the market's oracle says: raw loan-token units for one raw unit of collateral, times 1e36.
 */
export function healthFactor({ debt, collateral, lltv }: SecuredDebt, price: bigint): bigint | null {
  if (debt <= 0n || collateral * price > maxUint256) return null
  const most = (((collateral * price) / priceScale) * lltv) / wad
  const factor = (most * wad) / debt
  return factor > maxUint256 ? null : factor
}

/**
 * The lowest price at which the debt is still safe: below it, it can be liquidated. Raw loan-token units for one raw unit of
 * collateral, times 1e36. Null without a debt, and where no price makes it safe.
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
