import { expect, test } from '@jest/globals'
import { examplePosition, exampleSettlement } from '../../../test/fixing/exampleMarket.ts'
import { payoutOf } from './payout.ts'

test('default: the borrower gets the floating interest, the maker the rest and the cost', () => {
  const position = examplePosition({ accrued: 12_000n })
  expect(payoutOf(position)).toEqual({ state: 'soFar', amount: 12_000n, gain: -18_000n })
  expect(payoutOf({ ...position, role: 'maker' })).toEqual({ state: 'soFar', amount: 1_018_000n, gain: 18_000n })
})

test('behavior: due from the maturity on, paid once it is settled, and then what was paid counts', () => {
  const due = examplePosition({ accrued: 45_000n, settleable: true })
  expect(payoutOf(due)).toEqual({ state: 'due', amount: 45_000n, gain: 15_000n })
  const { accrued: _, settleable: __, ...rest } = due
  const settled = { ...rest, settlement: exampleSettlement(44_000n) }
  expect(payoutOf(settled)).toEqual({ state: 'paid', amount: 44_000n, gain: 14_000n })
  expect(payoutOf({ ...settled, role: 'maker' })).toEqual({ state: 'paid', amount: 986_000n, gain: -14_000n })
})

test('behavior: nothing paid is zero, and not known is not zero', () => {
  const { accrued: _, ...unknown } = examplePosition()
  expect(payoutOf({ ...unknown, settlement: exampleSettlement(0n) })?.amount).toBe(0n)
  expect(payoutOf(unknown)).toBeNull()
})
