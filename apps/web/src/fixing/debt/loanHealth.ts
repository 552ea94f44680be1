import type { Pool, Token } from '@firmquote/react'
import type { AccountDebt } from '@firmquote/sdk'
import { isAddressEqual } from 'viem'

const wad = 10n ** 18n
/** Health factor, in WAD, below which a loan is considered close to liquidation. */
const close = (11n * wad) / 10n
const priceScale = 10n ** 36n

/** A loan's distance from liquidation. Prices are in raw units of the loan token per whole collateral token. */
export type LoanHealth =
  | { state: 'unknown' }
  | {
      state: 'safe' | 'close' | 'liquidatable'
      /** Health factor (maximum debt divided by debt) in hundredths, rounded down. */
      hundredths: bigint
      /** The collateral's current price, rounded down. */
      price: bigint
      /** The price below which the loan can be liquidated, rounded up, or null if no price is safe. */
      liquidationPrice: bigint | null
      collateral: Pick<Token, 'symbol' | 'decimals'>
      /** The collateral's amount in its own raw units, and its value in raw units of the loan token, rounded down. */
      amount: bigint
      value: bigint
    }

/** Computes a loan's health. Unknown if any input is missing. Pure. */
export function loanHealth(debt: AccountDebt, { collateral: token }: Pick<Pool, 'collateral'>): LoanHealth {
  const { collateral, healthFactor, oraclePrice, liquidationPrice } = debt
  if (!token || !collateral || !isAddressEqual(token.address, collateral.token)) return { state: 'unknown' }
  if (healthFactor === undefined || oraclePrice === undefined) return { state: 'unknown' }
  const isSafe = healthFactor >= wad
  if (isSafe && liquidationPrice === undefined) return { state: 'unknown' }
  const one = 10n ** BigInt(token.decimals)
  return {
    state: isSafe ? (healthFactor <= close ? 'close' : 'safe') : 'liquidatable',
    hundredths: (healthFactor * 100n) / wad,
    price: (oraclePrice * one) / priceScale,
    liquidationPrice: liquidationPrice === undefined ? null : (liquidationPrice * one + priceScale - 1n) / priceScale,
    collateral: token,
    amount: collateral.amount,
    value: (collateral.amount * oraclePrice) / priceScale,
  }
}
