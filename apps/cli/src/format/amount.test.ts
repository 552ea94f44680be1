import { InvalidInputError, parsePrincipal } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatAmount, parseAmount } from './amount.ts'

describe('parseAmount', () => {
  test.each([
    ['250k', 6, 250_000_000_000n],
    ['1.5m', 6, 1_500_000_000_000n],
    ['1.5M', 0, 1_500_000n],
    ['250,000', 6, 250_000_000_000n],
    ['1,250.5k', 6, 1_250_500_000_000n],
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
    ['', 'The amount is empty'],
    ['-1', 'negative'],
    ['-250k', 'negative'],
    ['1e6', 'exponent'],
    ['1E6', 'exponent'],
    ['0x10', 'hex'],
    ['1,5m', 'commas only between thousands, like 1,234.5'],
    ['25,00', 'commas only between thousands'],
    ['.5', 'both sides'],
    ['5.', 'both sides'],
    ['5.k', 'both sides'],
    ['007', 'leading zeros'],
    ['+1', 'be written like'],
    [' 1', 'be written like'],
    ['1 k', 'be written like'],
    ['1kk', 'be written like'],
    ['1b', 'be written like'],
    ['k', 'be written like'],
    ['1_000', 'be written like'],
    ['١', 'be written like'],
    ['Infinity', 'be written like'],
    ['1\n', 'be written like'],
    ['0.0000001', 'more decimals than the token, which has 6 decimals'],
    ['1.0000000001k', 'more decimals than the token'],
    ['9'.repeat(80), '256 bits'],
    ['9'.repeat(400), 'too long'],
  ])('error: %j', (text, sentence) => {
    expect(() => parseAmount(text, 6)).toThrow(InvalidInputError)
    expect(() => parseAmount(text, 6)).toThrow(sentence)
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

  test('behavior: without a letter it reads what parsePrincipal reads, and refuses what it refuses', () => {
    const reached = { read: 0, refused: 0 }
    const read = (parse: (text: string, decimals: number) => bigint, text: string) => {
      try {
        return parse(text, 6)
      } catch (error) {
        return error instanceof InvalidInputError ? 'refused' : error
      }
    }
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9][0-9,.]{0,9}$/), (text) => {
        const amount = read(parseAmount, text)
        expect(amount).toEqual(read(parsePrincipal, text))
        reached[amount === 'refused' ? 'refused' : 'read'] += 1
      }),
      { numRuns: 500 },
    )
    expect(Math.min(reached.read, reached.refused)).toBeGreaterThan(20)
  })

  test('behavior: any other text throws an InvalidInputError', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          expect(parseAmount(text, 6)).toBeGreaterThanOrEqual(0n)
          expect(text).toMatch(/^[0-9,]+(?:\.[0-9]+)?[kKmM]?$/)
        } catch (error) {
          if (!(error instanceof InvalidInputError)) throw error
          expect(error.shortMessage).toMatch(/\.$/)
        }
      }),
    )
  })
})
