import type { AccountDebt, FixedPosition } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { type Hex, zeroAddress } from 'viem'
import { overfixedBy, restOf, shareOfDebt } from './unfixed.ts'

const poolId: Hex = `0x${'a'.repeat(64)}`
const other: Hex = `0x${'b'.repeat(64)}`
const now = 1_800_000_000

function debtOf(debt: bigint, of = poolId): AccountDebt {
  return { poolId: of, protocol: 'morpho-blue', market: other, loanToken: zeroAddress, debt }
}

function positionOf(notional: bigint, change: Partial<FixedPosition> = {}): FixedPosition {
  return {
    positionId: 1n,
    role: 'borrower',
    poolId,
    seriesKey: other,
    expiry: now + 1,
    notional,
    cost: 1n,
    counterparty: zeroAddress,
    openedAtBlock: 1,
    ...change,
  } as FixedPosition
}

describe('shareOfDebt', () => {
  test('default: what the running positions of the borrower leave', () => {
    const positions = [
      positionOf(1_000_000n),
      positionOf(400_000n, { accrued: 100_000n }),
      // None of these positions counts: one is in another pool, one is a maker's, and one has matured.
      positionOf(9n, { poolId: other }),
      positionOf(9n, { role: 'maker' }),
      positionOf(9n, { expiry: now }),
    ]
    const debts = [debtOf(2_000_000n), debtOf(1_000_000n), debtOf(9n, other)]
    expect(shareOfDebt({ debts, positions }, poolId, now)).toEqual({
      owed: 3_000_000n,
      fixed: 1_500_000n,
      unfixed: 1_500_000n,
      overfixed: 0n,
    })
  })

  test('behavior: less than a ten-thousandth of the debt is dust', () => {
    const debts = [debtOf(10_000_000n)]
    const share = (fixed: bigint) => shareOfDebt({ debts, positions: [positionOf(fixed)] }, poolId, now)
    expect(share(9_999_000n)).toMatchObject({ unfixed: 1_000n, overfixed: 0n })
    expect(share(9_999_001n)).toMatchObject({ unfixed: 0n, overfixed: 0n })
    expect(share(10_000_999n)).toMatchObject({ unfixed: 0n, overfixed: 0n })
    expect(share(10_001_000n)).toMatchObject({ unfixed: 0n, overfixed: 1_000n })
  })

  test('behavior: without a debt all that is fixed is beyond it', () => {
    expect(shareOfDebt({ debts: [], positions: [positionOf(1n)] }, poolId, now)).toEqual({
      owed: 0n,
      fixed: 1n,
      unfixed: 0n,
      overfixed: 1n,
    })
    expect(shareOfDebt({ debts: [], positions: [] }, poolId, now)).toEqual({
      owed: 0n,
      fixed: 0n,
      unfixed: 0n,
      overfixed: 0n,
    })
  })
})

describe('overfixedBy', () => {
  const share = { owed: 1_000_000n, fixed: 400_000n }

  test('default: what an amount fixes beyond what is left', () => {
    expect(overfixedBy(700_000n, share)).toBe(100_000n)
    expect([600_000n, 599_999n, 0n].map((amount) => overfixedBy(amount, share))).toEqual([0n, 0n, 0n])
  })

  test('behavior: a ten-thousandth of the debt is the least that counts', () => {
    expect([600_099n, 600_100n].map((amount) => overfixedBy(amount, share))).toEqual([0n, 100n])
  })

  test('behavior: all of it where more is fixed already than is owed, and where nothing is', () => {
    expect(overfixedBy(500n, { owed: 1_000n, fixed: 2_000n })).toBe(500n)
    expect(overfixedBy(1n, { owed: 0n, fixed: 0n })).toBe(1n)
  })
})

describe('restOf', () => {
  const one = 1_000_000n
  const token = { decimals: 6 }

  test('default: without the fraction of a token where that is dust', () => {
    expect(restOf({ owed: 10_001n * one, unfixed: 10_000n * one + 999_999n }, token)).toBe(10_000n * one)
    expect(restOf({ owed: 2n * one, unfixed: one + 500_000n }, token)).toBe(one + 500_000n)
  })

  test('behavior: dust is less than a ten-thousandth of the debt', () => {
    expect(restOf({ owed: 10n * one, unfixed: 9n * one + 999n }, token)).toBe(9n * one)
    expect(restOf({ owed: 10n * one, unfixed: 9n * one + 1_000n }, token)).toBe(9n * one + 1_000n)
  })
})
