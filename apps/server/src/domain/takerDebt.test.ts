import { describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { isCovered, sumFixed } from './takerDebt.ts'

const taker: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const poolId: Hex = `0x${'22'.repeat(32)}`

test('default: an RFQ is covered up to exactly the debt less the fixed and reserved parts', () => {
  const debt = { taker, poolId, debt: 100n, fixed: 30n }
  expect(isCovered(70n, debt, 0n)).toBe(true)
  expect(isCovered(71n, debt, 0n)).toBe(false)
  expect(isCovered(50n, debt, 20n)).toBe(true)
  expect(isCovered(51n, debt, 20n)).toBe(false)
})

test('behavior: a taker that has fixed more than its debt covers no RFQ', () => {
  expect(isCovered(1n, { taker, poolId, debt: 10n, fixed: 30n }, 0n)).toBe(false)
  expect(isCovered(1n, { taker, poolId, debt: 0n, fixed: 0n }, 0n)).toBe(false)
})

describe('sumFixed', () => {
  test("default: the account's positions as borrower in this pool, in any case of its address", () => {
    const positions = [
      { borrower: taker, poolId, notional: 1n },
      { borrower: taker.toLowerCase() as Address, poolId, notional: 2n },
      { borrower: other, poolId, notional: 4n },
      { borrower: taker, poolId: `0x${'33'.repeat(32)}` as Hex, notional: 8n },
    ]
    expect(sumFixed(positions, { taker, poolId })).toBe(3n)
    expect(sumFixed([], { taker, poolId })).toBe(0n)
  })
})
