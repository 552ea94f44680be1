import { InvalidInputError, maxUint256 } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatAmount, parseAmount } from './amount.ts'

describe('parseAmount', () => {
  test.each([
    ['250k', 6, 250_000_000_000n],
    ['1.5m', 6, 1_500_000_000_000n],
    ['1.5M', 0, 1_500_000n],
    ['250000.5', 6, 250_000_500_000n],
    ['0.0000005m', 6, 500_000n],
    ['0', 18, 0n],
    ['0.000001', 6, 1n],
    ['9007199254740993', 0, 9_007_199_254_740_993n],
    ['9007199254740.993k', 0, 9_007_199_254_740_993n],
  ])('default: %s with %i decimals', (text, decimals, amount) => {
    expect(parseAmount(text, decimals)).toBe(amount)
  })

  test.each([
    ['', 'An amount is needed'],
    ['-1', 'negative'],
    ['-250k', 'negative'],
    ['1e6', 'exponent'],
    ['1E6', 'exponent'],
    ['0x10', 'hex'],
    ['250,000', 'without commas'],
    ['1,5m', 'without commas'],
    ['.5', 'both sides'],
    ['5.', 'both sides'],
    ['5.k', 'both sides'],
    ['007', 'zeros in front'],
    ['+1', 'is written like'],
    [' 1', 'is written like'],
    ['1 k', 'is written like'],
    ['1kk', 'is written like'],
    ['1b', 'is written like'],
    ['k', 'is written like'],
    ['1_000', 'is written like'],
    ['١', 'is written like'],
    ['Infinity', 'is written like'],
    ['1\n', 'is written like'],
    ['0.0000001', 'finer than the token, which has 6 decimals'],
    ['1.0000000001k', 'finer than the token'],
    ['9'.repeat(80), '256 bits'],
    ['9'.repeat(400), 'too long'],
  ])('error: %j', (text, sentence) => {
    expect(() => parseAmount(text, 6)).toThrow(InvalidInputError)
    expect(() => parseAmount(text, 6)).toThrow(sentence)
  })

  test('behavior: parse(format(x)) = x for every amount of every token', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, maxUint256), fc.integer({ min: 0, max: 77 }), (amount, decimals) => {
        expect(parseAmount(formatAmount(amount, decimals), decimals)).toBe(amount)
      }),
    )
  })

  test('behavior: k and m are three and six more digits, exactly', () => {
    const digits = fc.bigInt(0n, 10n ** 30n)
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: 0, max: 18 }),
        fc.constantFrom(['k', 3] as const, ['m', 6] as const),
        (amount, decimals, [letter, more]) => {
          const text = formatAmount(amount, decimals + more)
          expect(parseAmount(`${text}${letter}`, decimals)).toBe(amount)
        },
      ),
    )
  })

  test('behavior: any other text is a sentence, never another kind of failure', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          expect(parseAmount(text, 6)).toBeGreaterThanOrEqual(0n)
          expect(text).toMatch(/^[0-9]+(?:\.[0-9]+)?[kKmM]?$/)
        } catch (error) {
          if (!(error instanceof InvalidInputError)) throw error
          expect(error.shortMessage).toMatch(/\.$/)
        }
      }),
    )
  })
})
