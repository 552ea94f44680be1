import type { Pool, Token } from '@firmquote/react'
import type { AccountDebt } from '@firmquote/sdk'
import { isAddressEqual } from 'viem'

const wad = 10n ** 18n
/** Health factor from which a loan counts as close to liquidation, WAD. */
const close = (11n * wad) / 10n
const priceScale = 10n ** 36n

/** A loan's distance from liquidation. Prices in raw units of the loan token per whole collateral token. */
export type LoanHealth =
  | { state: 'unknown' }
  | {
      state: 'safe' | 'close' | 'liquidatable'
      /** Health factor in hundredths, rounded down: maximum debt divided by debt. */
      hundredths: bigint
      /** The collateral's current price, rounded down. */
      price: bigint
      /** The price below which the loan can be liquidated, rounded up; null if no price is safe. */
      liquidationPrice: bigint | null
      collateral: Pick<Token, 'symbol'>
    }

/** A loan's health. Any missing input makes it unknown; it is never guessed. Pure. */
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
  }
}
