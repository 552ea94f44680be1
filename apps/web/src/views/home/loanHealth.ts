import type { Pool, Token } from '@firmquote/react'
import type { AccountDebt } from '@firmquote/sdk'
import { isAddressEqual } from 'viem'

const wad = 10n ** 18n
/** From here down a loan is called close to liquidation, WAD. */
const close = (11n * wad) / 10n
const priceScale = 10n ** 36n

/** How safe a loan is from liquidation. Prices in raw units of the loan token for one whole token of the collateral. */
export type LoanHealth =
  | { state: 'unknown' }
  | {
      state: 'safe' | 'close' | 'liquidatable'
      /** What may be owed divided by what is owed, hundredths, rounded down. */
      hundredths: bigint
      /** The collateral's price now, rounded down. */
      price: bigint
      /** Below this price the loan can be liquidated, rounded up; null where no price makes it safe. */
      liquidationPrice: bigint | null
      collateral: Pick<Token, 'symbol'>
    }

/** What is known of a loan's health. Whatever is missing makes it unknown: it is never guessed. Pure. */
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
