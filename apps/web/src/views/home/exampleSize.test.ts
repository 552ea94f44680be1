import { expect, test } from '@jest/globals'
import { examplePool } from '../../../test/fixing/exampleMarket.ts'
import { exampleSize } from './exampleSize.ts'

const sizeFor = (...capacities: bigint[]) => {
  const [series] = examplePool().series
  if (!series) throw new Error('There is no series.')
  return exampleSize({ ...examplePool(), series: capacities.map((capacity) => ({ ...series, capacity })) })
}

test('default: 250,000 tokens, where any term takes them', () => {
  expect(sizeFor(0n, 250_000_000_000n)).toBe(250_000_000_000n)
})

test('behavior: where none does, the largest power of ten that one takes', () => {
  expect(sizeFor(249_999_999_999n, 1n)).toBe(100_000_000_000n)
  expect(sizeFor(100_000_000n)).toBe(100_000_000n)
  expect(sizeFor(99_999_999n)).toBe(10_000_000n)
})

test('behavior: where nothing is left it is an example all the same', () => {
  expect([sizeFor(0n), sizeFor()]).toEqual([250_000_000_000n, 250_000_000_000n])
})
