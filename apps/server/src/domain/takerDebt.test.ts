import { describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { fixedPart, isCovered, sumReserved } from './takerDebt.ts'

const taker: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const poolId: Hex = `0x${'22'.repeat(32)}`

test('default: an RFQ is covered up to exactly the debt less the fixed and reserved parts', () => {
  const debt = { debt: 100n, fixed: 30n }
  expect(isCovered(70n, debt, 0n)).toBe(true)
  expect(isCovered(71n, debt, 0n)).toBe(false)
  expect(isCovered(50n, debt, 20n)).toBe(true)
  expect(isCovered(51n, debt, 20n)).toBe(false)
})

test('behavior: a taker that has fixed more than its debt covers no RFQ', () => {
  expect(isCovered(1n, { debt: 10n, fixed: 30n }, 0n)).toBe(false)
  expect(isCovered(1n, { debt: 0n, fixed: 0n }, 0n)).toBe(false)
})

test('behavior: an open RFQ reserves its notional without what its taker has taken, and never less than nothing', () => {
  const rfqs = [
    ['a', 60n],
    ['b', 20n],
  ] as const
  const reserved = (...taken: [string, bigint][]) => sumReserved(rfqs, { taken: new Map(taken) })
  expect([reserved(), reserved(['a', 59n]), reserved(['a', 60n], ['c', 5n]), reserved(['a', 70n])]).toEqual([
    ...[80n, 21n, 20n, 20n],
  ])
})

describe('fixedPart', () => {
  const position = { borrower: taker, poolId, notional: 100n, cost: 1n, index: 10n ** 27n, expiry: 2_000 }
  const at = { index: (107n * 10n ** 27n) / 100n, timestamp: 1_000n }
  const fixed = (...positions: Parameters<typeof fixedPart>[0]) => fixedPart(positions, { taker, poolId }, at)

  test("default: notional and interest of the account's positions as borrower in this pool, in any case", () => {
    const others = [
      { ...position, borrower: other },
      { ...position, poolId: `0x${'33'.repeat(32)}` as Hex },
    ]
    expect(fixed(position, ...others)).toBe(107n)
    expect(fixed(position, { ...position, borrower: taker.toLowerCase() as Address, index: at.index })).toBe(207n)
    expect(fixed()).toBe(0n)
  })

  test('behavior: the interest of a position is at most its notional', () => {
    expect(fixed({ ...position, index: 1n })).toBe(200n)
  })

  test('behavior: an expired position fixes nothing, even before it is settled', () => {
    expect([1_000, 1_001].map((expiry) => fixed({ ...position, expiry }))).toEqual([0n, 107n])
  })
})
