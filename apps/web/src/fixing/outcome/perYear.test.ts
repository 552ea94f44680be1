import { expect, test } from '@jest/globals'
import { perYear } from './perYear.ts'

const year = 31_536_000

test('default: half a year counts twice, to nearest, on both sides of zero', () => {
  expect(perYear(25_000n, year / 2)).toBe(50_000n)
  expect(perYear(1n, year * 2)).toBe(1n)
  expect(perYear(1n, year * 2 + 1)).toBe(0n)
  expect(perYear(-25_000n, year / 2)).toBe(-50_000n)
  expect(perYear(-1n, year * 2)).toBe(-1n)
})
