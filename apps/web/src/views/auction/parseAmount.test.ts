import { InvalidInputError } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatAmountInput, parseAmount } from './parseAmount.ts'

describe('parseAmount', () => {
  test('default: figures as people type them', () => {
    expect(parseAmount('250,000.5', 6)).toBe(250_000_500_000n)
    expect(parseAmount(' 250000 ', 6)).toBe(250_000_000_000n)
    expect(parseAmount('250k', 6)).toBe(250_000_000_000n)
    expect(parseAmount('1.5M', 6)).toBe(1_500_000_000_000n)
    expect(parseAmount('0.0000001k', 6)).toBe(100n)
  })

  test('behavior: reads what formatAmountInput writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 30 }), (amount, decimals) => {
        expect(parseAmount(formatAmountInput(amount, decimals), decimals)).toBe(amount)
      }),
    )
  })

  test('error: anything else', () => {
    for (const text of ['', 'k', '1e6', '-5', '0x10', '25,00', '1.0000001', '1.2.3m', '1kk', '٣']) {
      expect(() => parseAmount(text, 6)).toThrow(InvalidInputError)
    }
  })
})
