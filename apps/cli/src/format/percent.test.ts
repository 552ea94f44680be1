import { describe, expect, test } from '@jest/globals'
import { parsePercent } from './percent.ts'

describe('parsePercent', () => {
  test.each([
    ['8', 8],
    ['6.53', 6.53],
    ['6.53%', 6.53],
    ['0.0000000001', 1e-10],
    ['1000000', 1_000_000],
  ])('default: %s', (text, percent) => {
    expect(parsePercent(text)).toBe(percent)
  })

  test.each(['', '0', '-1', '1e3', '08', '.5', '5.', '6,5', '0x8', '1000001', '8 %', '8%%', 'NaN', '1.00000000001'])(
    'error: %p',
    (text) => {
      expect(() => parsePercent(text)).toThrow(/A rate must be a percentage/)
    },
  )
})
