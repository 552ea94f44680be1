import { expect, test } from '@jest/globals'
import { effectiveApyOf } from './effectiveApy.ts'

const year = 31_536_000

test('default: the effective APY, and infinity for a price that never pays off', () => {
  expect(effectiveApyOf({ notional: 1_000n, vrtAmount: 500n }, year, 0)).toBe(100)
  expect(effectiveApyOf({ notional: 1_000n, vrtAmount: 501n }, year, 0)).toBe(Number.POSITIVE_INFINITY)
})

test('behavior: infinity for nothing, and once the term has ended', () => {
  expect(effectiveApyOf({ notional: 0n, vrtAmount: 0n }, year, 0)).toBe(Number.POSITIVE_INFINITY)
  expect(effectiveApyOf({ notional: 1_000n, vrtAmount: 1n }, year, year)).toBe(Number.POSITIVE_INFINITY)
  expect(effectiveApyOf({ notional: 1_000n, vrtAmount: 0n }, year, year - 1)).toBe(0)
})
