import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { languages } from '../../test/copy/languages.ts'
import { createFormats } from './formats.ts'
import { type AmountProblem, parseAmount, type ReadAmount } from './parseAmount.ts'

const read = (text: string, language = 'en-US', decimals = 6): ReadAmount =>
  parseAmount(text, decimals, createFormats({ numbers: language, dates: language }))
const amount = (tokens: number) => ({ amount: BigInt(Math.round(tokens * 1_000_000)) })

describe.each(languages)('%s', (language) => {
  const formats = createFormats({ numbers: language, dates: language })
  // Half of them small: what has few digits is what could be misread.
  const values = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n }))

  test('behavior: what the page shows of an amount, or writes into a field, is read as the same amount', () => {
    const reached = { grouped: 0, fractions: 0 }
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 30 }), (value, decimals) => {
        const input = formats.input(value, { decimals })
        expect(parseAmount(input, decimals, formats)).toEqual({ amount: value })
        const shown = formats.amount(value, { decimals })
        const again = parseAmount(shown, decimals, formats)
        if (!('amount' in again)) throw new TypeError(`${shown} is not read: ${again.problem}`)
        expect(formats.amount(again.amount, { decimals })).toBe(shown)
        const cutOff = value - again.amount
        const one = 10n ** BigInt(decimals)
        expect(
          cutOff >= 0n && cutOff < (value >= 1_000_000n * one ? one : one / 10n ** BigInt(Math.min(2, decimals))),
        ).toBe(true)
        reached.grouped += value >= 1_000n * one ? 1 : 0
        reached.fractions += value % one > 0n ? 1 : 0
      }),
      { numRuns: 200 },
    )
    expect(Math.min(reached.grouped, reached.fractions)).toBeGreaterThan(10)
  })

  test('behavior: whatever is typed, it is one amount or one refusal, and no refusal is an amount', () => {
    const letters = fc.constantFrom(
      ..."0123459.,' \u00a0\u202f\u2019\u066b\u066c-+ekKmM٣٥۵५",
      ...formats.signs[0].digits,
    )
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 12 }), fc.integer({ min: 0, max: 18 }), (text, decimals) => {
        const result = parseAmount(text, decimals, formats)
        if (!('amount' in result)) return
        // What was read is written without doubt.
        expect(parseAmount(formats.input(result.amount, { decimals }), decimals, formats)).toEqual(result)
      }),
    )
  })
})

test.each([
  ['250,000.5', amount(250_000.5)],
  [' 250000 ', amount(250_000)],
  ['250k', amount(250_000)],
  ['1.5M', amount(1_500_000)],
  ['1.5 m', amount(1_500_000)],
  ['0.0000001k', { amount: 100n }],
  ['0.125', amount(0.125)],
  ['1234.567', amount(1_234.567)],
  ['1,234.567', amount(1_234.567)],
  ['2.50', amount(2.5)],
  ['1.2340', amount(1.234)],
  ['0.999', amount(0.999)],
  ['1000.999', amount(1_000.999)],
  ['999,999', amount(999_999)],
  ['1.0000000', amount(1)],
])('default: "%s" in English', (text, expected) => {
  expect(read(text)).toEqual(expected)
})

test.each([
  ['de-DE', '250.000,5', 250_000.5],
  ['de-CH', '250’000.5', 250_000.5],
  ['de-CH', "250'000.5", 250_000.5],
  ['fr-FR', '250 000,5', 250_000.5],
  ['fr-FR', '250\u202f000,5', 250_000.5],
  ['pl-PL', '250\u00a0000,5', 250_000.5],
  ['en-IN', '2,50,000.5', 250_000.5],
  ['ar-EG', '٢٥٠٬٠٠٠٫٥', 250_000.5],
  ['ar-EG', '250,000.5', 250_000.5],
  ['fa-IR', '۲۵۰٬۰۰۰٫۵', 250_000.5],
])('default: in %s "%s"', (language, text, tokens) => {
  expect(read(text, language)).toEqual(amount(tokens))
})

test.each([
  ['en-US', '250.000', ['250', '250,000']],
  ['en-US', '2,5', ['2.5', '25']],
  ['en-US', '2,5k', ['2,500', '25,000']],
  ['en-US', '1.234', ['1.2340', '1,234']],
  ['en-US', '250,00', ['250', '25,000']],
  ['en-US', '2,5000', ['2.5', '25,000']],
  ['en-US', '1234,567', ['1,234.567', '1,234,567']],
  ['en-US', '999.999', ['999.9990', '999,999']],
  ['en-IN', '250,000', ['250', '2,50,000']],
  ['de-DE', '250,000', ['250', '250.000']],
  ['de-DE', '2.5', ['2,5', '25']],
  ['fr-FR', '2.5', ['2,5', '25']],
  ['fr-FR', '250,000', ['250', '250\u202f000']],
  ['de-CH', '2,5', ['2.5', '25']],
] as const)('error: in %s "%s" is ambiguous, and both readings are shown', (language, text, readings) => {
  const plain = (result: ReadAmount) => JSON.stringify(result).replaceAll('’', "'")
  expect(plain(read(text, language))).toEqual(plain({ problem: 'ambiguous', readings: [...readings] }))
})

test.each([
  ['1.234,5', 1_234.5],
  ['1.000.000,50', 1_000_000.5],
  ['1.234.567', 1_234_567],
  ['1 000 000', 1_000_000],
  ['1\u00a0000\u202f000', 1_000_000],
  ['1 000 000,5', 1_000_000.5],
  ["250'000.5", 250_000.5],
  ['0,5', 0.5],
])('behavior: English takes another language\'s signs where they leave one reading: "%s"', (text, tokens) => {
  expect(read(text)).toEqual(amount(tokens))
})

test.each([
  ['1,23.5', '123.5'],
  ['12,34,567', '1,234,567'],
  ['12 34', '1,234'],
  ['1234 567', '1,234,567'],
])('error: "%s" in English has irregular groups, and its one reading is shown', (text, reading) => {
  expect(read(text)).toEqual({ problem: 'signs', reading })
})

test.each<[string, AmountProblem['problem']]>([
  ['', 'empty'],
  ['   ', 'empty'],
  ['-5', 'signed'],
  ['+5', 'signed'],
  ['\u22125', 'signed'],
  ['1e6', 'exponent'],
  ['1.5E+3', 'exponent'],
  ['0x10', 'unreadable'],
  ['k', 'unreadable'],
  ['1kk', 'unreadable'],
  ['.5', 'unreadable'],
  ['5.', 'unreadable'],
  ['1,.5', 'unreadable'],
  ['1.2.3,4,5', 'unreadable'],
  ['all', 'unreadable'],
  ['5 %', 'unreadable'],
  ['007', 'zeros'],
  ['٣', 'digits'],
  ['２５０', 'digits'],
  ['2٣', 'digits'],
  ['1.0000001', 'tooFine'],
  [`1${'0'.repeat(72)}`, 'tooLarge'],
  ['1'.repeat(401), 'tooLong'],
])('error: "%s" is refused as %s', (text, problem) => {
  expect(read(text)).toMatchObject({ problem })
})

test('behavior: the bounds are those of the token and of 256 bits', () => {
  const most = 2n ** 256n - 1n
  expect(read(most.toString(), 'en-US', 0)).toEqual({ amount: most })
  expect(read((most + 1n).toString(), 'en-US', 0)).toEqual({ problem: 'tooLarge' })
  expect(read('1.000001')).toEqual({ amount: 1_000_001n })
  expect(read('1.5', 'en-US', 0)).toEqual({ problem: 'tooFine', decimals: 0 })
  expect(read('0.00000000000000000000001', 'en-US', 18)).toEqual({ problem: 'tooFine', decimals: 18 })
  expect(read(`0.${'0'.repeat(254)}1`, 'en-US', 255)).toEqual({ amount: 1n })
  expect(read('0'.repeat(400))).toEqual({ problem: 'zeros' })
})

test('behavior: two scripts in one number are refused, also where one of them is the own', () => {
  expect(read('2٣', 'ar-EG')).toEqual({ problem: 'digits' })
  expect(read('۵', 'ar-EG')).toEqual({ problem: 'digits' })
})
