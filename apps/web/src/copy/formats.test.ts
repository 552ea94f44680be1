import { formatDuration, formatPrincipal, formatRate } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { languages } from '../../test/copy/languages.ts'
import { createFormats } from './formats.ts'

const token = { decimals: 6 }
const english = createFormats({ numbers: 'en-GB', dates: 'en-GB' })
const german = createFormats({ numbers: 'de-DE', dates: 'de-DE' })

describe('amount', () => {
  const { amount } = english
  test('default', () => {
    expect(amount(4_102_637_569n, token)).toBe('4,102.63')
    expect(amount(250_000_000_000n, token)).toBe('250,000')
    expect(amount(0n, token)).toBe('0')
    expect(german.amount(4_102_637_569n, token)).toBe('4.102,63')
  })

  test('behavior: figures of one column have the same digits after the point', () => {
    expect(amount(1_500_000n, token)).toBe('1.50')
  })

  test('behavior: millions are whole', () => {
    expect(amount(5_995_897_362_431n, token)).toBe('5,995,897')
    expect(amount(999_999_990_000n, token)).toBe('999,999.99')
  })

  test('behavior: a trace is not nothing', () => {
    expect(amount(12n, token)).toBe('0.000012')
    expect(amount(9_999n, token)).toBe('0.009999')
    expect(amount(10_000n, token)).toBe('0.01')
  })

  test('behavior: a token without decimals has no point', () => {
    expect(amount(1_234n, { decimals: 0 })).toBe('1,234')
  })

  test('behavior: as many decimals as a token may have, in the digits of the language', () => {
    const arabic = createFormats({ numbers: 'ar-EG', dates: 'ar-EG' })
    expect(arabic.exact(1_234_500n, { decimals: 3 })).toBe('١٬٢٣٤٫٥')
    expect(english.exact(1n, { decimals: 255 })).toBe(`0.${'0'.repeat(254)}1`)
  })

  test('behavior: exact as the SDK is, for every amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 255 }), (value, decimals) => {
        expect(english.exact(value, { decimals })).toBe(formatPrincipal(value, decimals))
      }),
    )
  })
})

test('input: one digit more where three could be thousands, and only there', () => {
  const input = (tokens: number) => english.input(BigInt(Math.round(tokens * 1_000_000)), token)
  expect([input(1.234), input(999.999), input(1)]).toEqual(['1.2340', '999.9990', '1'])
  expect([input(0.999), input(1_000.125), input(1.23), input(1.2345)]).toEqual(['0.999', '1,000.125', '1.23', '1.2345'])
  expect(english.input(1_234n, { decimals: 3 })).toBe('1.2340')
})

test('cost: never shown below what is paid', () => {
  const { cost } = english
  expect(cost(4_102_637_569n, token)).toBe('4,102.64')
  expect(cost(4_102_630_000n, token)).toBe('4,102.63')
  expect(cost(999_999_990_001n, token)).toBe('1,000,000')
  expect(cost(5_995_897_000_001n, token)).toBe('5,995,898')
  expect(cost(12n, token)).toBe('0.000012')
  expect(cost(0n, token)).toBe('0')
  expect(cost(1_234n, { decimals: 0 })).toBe('1,234')
})

test('estimate: three significant digits, rounded to the nearest', () => {
  const { estimate } = english
  expect([51_163_220_000n, 51_150_000_000n, 51_149_999_999n].map((value) => estimate(value, token))).toEqual([
    '51,200',
    '51,200',
    '51,100',
  ])
  expect([estimate(325_630_000n, token), estimate(4_270_180_000n, token)]).toEqual(['326', '4,270'])
  expect([estimate(9_996_000_000n, token), estimate(12n, token), estimate(0n, token)]).toEqual([
    '10,000',
    '0.000012',
    '0',
  ])
})

describe('rate', () => {
  test('default: two digits', () => {
    expect([english.rate(5.25), german.rate(5.25)]).toEqual(['5.25%', '5,25\u00a0%'])
    expect([english.rate(5, 0), english.rate(5.5, 1), english.rate(0)]).toEqual(['5%', '5.5%', '0.00%'])
  })

  test('behavior: what is not zero does not look like it, what is huge stays short', () => {
    expect([english.rate(0.001), english.rate(0.005), english.rate(0.004, 1)]).toEqual(['<0.01%', '0.01%', '<0.1%'])
    expect([english.rate(1_000_000, 0), english.rate(1_000_000.01)]).toEqual(['1,000,000%', '>1,000,000%'])
  })

  test('behavior: the same figure as in the SDK', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2_000_000, noNaN: true }), (percent) => {
        expect(english.rate(percent)).toBe(formatRate(percent))
      }),
    )
  })
})

describe('times', () => {
  const at = 1_803_859_205

  test('default: in UTC, as the region writes them', () => {
    expect(english.day(at)).toBe('1\u00a0Mar\u00a02027')
    expect(createFormats({ numbers: 'en-US', dates: 'en-US' }).day(at)).toBe('Mar\u00a01,\u00a02027')
    expect(german.day(at)).toBe('1.\u00a0März\u00a02027')
    expect(english.dayOfYear(at)).toBe('1 Mar')
    expect([english.month(at), german.month(at), english.month(at - 6)]).toEqual(['Mar', 'Mär', 'Feb'])
    expect(english.minute(at)).toBe('1 Mar 2027, 00:00 UTC')
    expect(english.second(BigInt(at))).toBe('1 Mar 2027, 00:00:05 UTC')
    expect(english.clock(at)).toBe('00:00:05 UTC')
  })

  test('behavior: how long ago, or how soon', () => {
    const from = at * 1000
    const relative = (seconds: number) => english.relative(from + seconds * 1000, from)
    expect([relative(0.9), relative(-0.9)]).toEqual(['now', 'now'])
    expect([relative(1), relative(-59)]).toEqual(['in 1 second', '59 seconds ago'])
    expect([relative(60), relative(-3_600), relative(86_399)]).toEqual(['in 1 minute', '1 hour ago', 'in 23 hours'])
    expect(relative(91 * 86_400)).toBe('in 91 days')
    expect(german.relative(from, from + 60_000)).toBe('vor 1 Minute')
  })

  test('behavior: lengths of time as the SDK has them, and never a negative one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 1, max: 4 }), (seconds, units) => {
        expect(english.duration(seconds, units)).toBe(formatDuration(seconds, { units }))
      }),
    )
    expect([english.duration(-1), english.time(15), german.time(1)]).toEqual(['0s', '15 seconds', '1 Sekunde'])
    expect([english.time(-1), english.time(59.9), english.time(60), english.time(91 * 86_400 + 80_000)]).toEqual([
      '0 seconds',
      '59 seconds',
      '1 minute',
      '91 days',
    ])
  })
})

test('counts, shares and lists', () => {
  expect([english.count(1_234), german.count(1_234n)]).toEqual(['1,234', '1.234'])
  expect([english.share(2n, 3n), german.share(1n, 1n)]).toEqual(['66%', '100\u00a0%'])
  expect([english.list(['a', 'b']), german.list(['a', 'b'])]).toEqual(['a and b', 'a und b'])
})

test.each(languages)('every length of time has a text in %s', (language) => {
  const { duration } = createFormats({ numbers: language, dates: language })
  expect(new Set([0, 1, 61, 3_600, 90_061].map((seconds) => duration(seconds))).size).toBe(5)
})
