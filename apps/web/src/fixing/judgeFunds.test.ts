import { expect, test } from '@jest/globals'
import { judgeFunds } from './judgeFunds.ts'

const funds = { balance: 100n, coins: 600_000n * 7n, gasPrice: 7n }

test('default: an account that can pay the cost and the fee', () => {
  expect(judgeFunds(funds, 100n)).toBeNull()
})

test('behavior: one unit less than the cost, or one wei less than the fee, is too little', () => {
  expect(judgeFunds(funds, 101n)).toBe('cost')
  expect(judgeFunds({ ...funds, coins: funds.coins - 1n }, 100n)).toBe('fee')
  expect(judgeFunds({ ...funds, coins: 0n }, 101n)).toBe('cost')
})

test('behavior: an unknown cost leaves the fee', () => {
  expect(judgeFunds({ ...funds, balance: 0n }, null)).toBeNull()
  expect(judgeFunds({ ...funds, coins: 0n }, null)).toBe('fee')
})
