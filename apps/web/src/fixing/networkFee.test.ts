import { expect, test } from '@jest/globals'
import { networkFee, roundUpToTwoDigits } from './networkFee.ts'

const take = { purpose: 'take', data: `0x${'00'.repeat(800)}` } as const
const approve = { purpose: 'approve', data: `0x${'00'.repeat(68)}` } as const

test('default: sums the gas of the remaining calls', () => {
  expect(networkFee([take], { gasPrice: 7n, l1FeeOfByte: 0n })).toBe(336_000n * 7n)
  expect(networkFee([approve, take], { gasPrice: 7n, l1FeeOfByte: 0n })).toBe(382_000n * 7n)
})

test('behavior: adds the L1 data fee of each transaction, with its envelope', () => {
  expect(networkFee([approve, take], { gasPrice: 0n, l1FeeOfByte: 3n })).toBe((268n + 1_000n) * 3n)
})

test.each([
  [0n, 0n],
  [9n, 9n],
  [99n, 99n],
  [100n, 100n],
  [101n, 110n],
  [990_001n, 1_000_000n],
])('behavior: rounds %d up to two digits', (value, rounded) => {
  expect(roundUpToTwoDigits(value)).toBe(rounded)
})
