import { expect, test } from '@jest/globals'
import { formatAmount, formatCost } from './formatAmount.ts'

const token = { decimals: 6 }

test('default', () => {
  expect(formatAmount(4_102_637_569n, token)).toBe('4,102.63')
  expect(formatAmount(250_000_000_000n, token)).toBe('250,000')
  expect(formatAmount(0n, token)).toBe('0')
})

test('behavior: figures of one column have the same digits after the point', () => {
  expect(formatAmount(1_500_000n, token)).toBe('1.50')
})

test('behavior: millions are whole', () => {
  expect(formatAmount(5_995_897_362_431n, token)).toBe('5,995,897')
})

test('behavior: a trace is not nothing', () => {
  expect(formatAmount(12n, token)).toBe('0.000012')
})

test('behavior: a token without decimals has no point', () => {
  expect(formatAmount(1_234n, { decimals: 0 })).toBe('1,234')
})

test('behavior: a cost is never shown below what is paid', () => {
  expect(formatCost(4_102_637_569n, token)).toBe('4,102.64')
  expect(formatCost(4_102_630_000n, token)).toBe('4,102.63')
  expect(formatCost(999_999_990_001n, token)).toBe('1,000,000')
  expect(formatCost(5_995_897_000_001n, token)).toBe('5,995,898')
  expect(formatCost(12n, token)).toBe('0.000012')
  expect(formatCost(0n, token)).toBe('0')
  expect(formatCost(1_234n, { decimals: 0 })).toBe('1,234')
})
