import { expect, test } from '@jest/globals'
import { fixable } from './fixable.ts'

const series = { capacity: 1_000n, minNotional: 10n }

test('default: what is wished, between the least and what is left', () => {
  expect([10n, 1_000n].map((wanted) => fixable(series, wanted))).toEqual([{ amount: 10n }, { amount: 1_000n }])
})

test('behavior: more than is left is what is left; less than the least is nothing', () => {
  expect(fixable(series, 1_001n)).toEqual({ amount: 1_000n, limit: 'most' })
  expect(fixable(series, 9n)).toEqual({ amount: 0n, limit: 'least' })
})

test('behavior: what is left may be less than the least, or nothing; without a least it is one unit', () => {
  expect(fixable({ ...series, capacity: 9n }, 20n)).toEqual({ amount: 0n, limit: 'most' })
  expect(fixable({ ...series, capacity: 10n }, 20n)).toEqual({ amount: 10n, limit: 'most' })
  expect(fixable({ capacity: 0n }, 1n)).toEqual({ amount: 0n, limit: 'most' })
  expect(fixable({ capacity: 5n }, 1n)).toEqual({ amount: 1n })
  expect(fixable({ capacity: 5n }, 0n)).toEqual({ amount: 0n, limit: 'least' })
})
