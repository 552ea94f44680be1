import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { flatten } from './flatten.ts'
import { showAmount, showInstant, showRate, showTimeLeft } from './show.ts'

describe('show', () => {
  test('default', () => {
    expect(showAmount(250_000_500_000n, { symbol: 'tUSD', decimals: 6 })).toBe('250,000.5 tUSD')
    expect(showAmount(5n, undefined)).toBe('5 raw')
    expect(showRate(6.5)).toBe('6.50%')
    expect(showRate(undefined)).toBe('-')
    expect(showInstant(1_803_859_200)).toBe('2027-03-01 00:00 UTC')
    expect(showInstant(1_803_859_230n)).toBe('2027-03-01 00:00:30 UTC')
    expect(showTimeLeft(1_800_000_090n, 1_800_000_000_999)).toBe('1m 30s')
    expect(showTimeLeft(1_800_000_000n, 1_800_000_000_000)).toBe('none')
    expect(showTimeLeft(2n ** 255n, 1_800_000_000_000)).toBe('over a year')
  })

  test('behavior: shows any value of a service without throwing', () => {
    const uint256 = fc.bigInt(0n, 2n ** 256n - 1n)
    fc.assert(
      fc.property(uint256, fc.double({ noNaN: true }), fc.string(), (amount, number, symbol) => {
        for (const text of [
          showAmount(amount, { symbol, decimals: number }),
          showRate(number),
          showInstant(number),
          showInstant(amount),
          showTimeLeft(amount, 1_800_000_000_000),
        ]) {
          expect(text).not.toBe('')
        }
      }),
    )
  })
})

test('default: flatten handles any JSON value', () => {
  expect(flatten({ a: 1, b: { c: 'x', d: [true, null] }, e: [], f: {} })).toEqual([
    ['a', '1'],
    ['b.c', 'x'],
    ['b.d.0', 'true'],
    ['b.d.1', 'none'],
    ['e', 'none'],
    ['f', 'none'],
  ])
})

test('behavior: flatten writes times as dates, those in seconds and those in milliseconds', () => {
  const rfq = { expiry: 1_803_859_200, closesAt: 1_803_859_230_999, deadline: '1803859230', quotedAt: null, at: 5 }
  expect(flatten({ rfqs: [rfq], expiry: 'never', formatAt: '1803859200000' })).toEqual([
    ['rfqs.0.expiry', '2027-03-01 00:00 UTC'],
    ['rfqs.0.closesAt', '2027-03-01 00:00:30 UTC'],
    ['rfqs.0.deadline', '2027-03-01 00:00:30 UTC'],
    ['rfqs.0.quotedAt', 'none'],
    ['rfqs.0.at', '5'],
    ['expiry', 'never'],
    ['formatAt', '1803859200000'],
  ])
})
