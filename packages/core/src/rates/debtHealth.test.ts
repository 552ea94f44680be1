import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { maxUint256 } from '../values/uint256.ts'
import { healthFactor, liquidationPrice } from './debtHealth.ts'

const wad = 10n ** 18n
/** 2,000 collateral tokens with 18 decimals, a debt of 3,000,000 with 6 decimals, and an LLTV of 86 %. */
const debt = { debt: 3_000_000_000_000n, collateral: 2_000n * wad, lltv: 860_000_000_000_000_000n }
/** Scales a price in whole loan tokens per whole collateral token. */
const price = (usd: bigint) => usd * 10n ** (36n + 6n - 18n)

describe('healthFactor', () => {
  test('default: by hand', () => {
    // 2,000 x 3,000 x 0.86 / 3,000,000 = 1.72
    expect(healthFactor(debt, price(3_000n))).toBe(1_720_000_000_000_000_000n)
    expect(healthFactor(debt, price(1_500n))).toBe(860_000_000_000_000_000n)
    expect(healthFactor({ ...debt, collateral: 0n }, price(3_000n))).toBe(0n)
  })

  test('behavior: null without a debt, or if the market could not compute it', () => {
    expect(healthFactor({ ...debt, debt: 0n }, price(3_000n))).toBeNull()
    expect(healthFactor({ ...debt, collateral: 1n, debt: 1n }, maxUint256)).not.toBeNull()
    expect(healthFactor({ ...debt, collateral: 2n }, maxUint256 / 2n)).not.toBeNull()
    expect(healthFactor({ ...debt, collateral: 2n }, maxUint256 / 2n + 1n)).toBeNull()
  })

  test('behavior: null if it exceeds a uint256', () => {
    expect(healthFactor({ debt: 1n, collateral: 1n, lltv: maxUint256 }, maxUint256)).toBeNull()
  })
})

describe('liquidationPrice', () => {
  test('default: by hand', () => {
    // 3,000,000 / 0.86 / 2,000 = 1,744.186…
    expect(liquidationPrice({ ...debt, lltv: wad })).toBe(price(1_500n))
    expect(liquidationPrice(debt)).toBe(1_744_186_046_512_000_000_000_000_000n)
  })

  test('behavior: null without a debt, or if no price is safe', () => {
    expect(liquidationPrice({ ...debt, debt: 0n })).toBeNull()
    expect(liquidationPrice({ ...debt, collateral: 0n })).toBeNull()
    expect(liquidationPrice({ ...debt, lltv: 0n })).toBeNull()
    expect(liquidationPrice({ debt: maxUint256, collateral: 1n, lltv: 1n })).toBeNull()
  })

  test('behavior: at it the debt is safe, one below it is not', () => {
    let reached = 0
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 90n }),
        fc.bigInt({ min: 1n, max: 2n ** 90n }),
        fc.bigInt({ min: 1n, max: wad }),
        (owed, collateral, lltv) => {
          const secured = { debt: owed, collateral, lltv }
          const lowest = liquidationPrice(secured)
          if (lowest === null) return
          reached += 1
          expect(healthFactor(secured, lowest)).toBeGreaterThanOrEqual(wad)
          expect(healthFactor(secured, lowest - 1n)).toBeLessThan(wad)
        },
      ),
    )
    expect(reached).toBeGreaterThan(50)
  })
})
