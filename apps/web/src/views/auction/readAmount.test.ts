import { InvalidInputError } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readAmount, writeAmount } from './readAmount.ts'

describe('readAmount', () => {
  test('default: figures as people type them', () => {
    expect(readAmount('250,000.5', 6)).toBe(250_000_500_000n)
    expect(readAmount(' 250000 ', 6)).toBe(250_000_000_000n)
    expect(readAmount('250k', 6)).toBe(250_000_000_000n)
    expect(readAmount('1.5M', 6)).toBe(1_500_000_000_000n)
    expect(readAmount('0.0000001k', 6)).toBe(100n)
  })

  test('behavior: reads what writeAmount writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 30 }), (amount, decimals) => {
        expect(readAmount(writeAmount(amount, decimals), decimals)).toBe(amount)
      }),
    )
  })

  test('error: anything else', () => {
    for (const text of ['', 'k', '1e6', '-5', '0x10', '25,00', '1.0000001', '1.2.3m', '1kk', '٣']) {
      expect(() => readAmount(text, 6)).toThrow(InvalidInputError)
    }
  })
})
