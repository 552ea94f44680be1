import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { fixedDebt, type HedgingPosition } from './fixedDebt.ts'

const poolId: Hex = `0x${'22'.repeat(32)}`
const now = 1_000
const position: HedgingPosition = { poolId, notional: 100n, accrued: 7n, expiry: now + 1, settleable: false }
const fixed = (...positions: HedgingPosition[]) => fixedDebt(positions, { poolId, now })

describe('fixedDebt', () => {
  test('default: the notional and accrued interest of the positions in this pool', () => {
    expect(fixed(position, { ...position, notional: 10n, accrued: 0n })).toBe(117n)
    expect(fixed(position, { ...position, poolId: `0x${'33'.repeat(32)}` })).toBe(107n)
    expect(fixed()).toBe(0n)
  })

  test('behavior: a position fixes nothing once it can be settled, whatever the time says', () => {
    expect(fixed({ ...position, settleable: true })).toBe(0n)
    expect(fixed({ ...position, expiry: now })).toBe(107n)
  })

  test('behavior: an older service reports neither interest nor whether a position can be settled', () => {
    const older = { poolId, notional: 100n }
    expect(fixed({ ...older, expiry: now + 1 }, { ...older, expiry: now })).toBe(100n)
  })
})
