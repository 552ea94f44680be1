import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { restateRefusal } from './refusal.ts'
import { wordsOf } from './words.ts'

const words = wordsOf({ symbol: 'tUSD', decimals: 6 })

describe('restateRefusal', () => {
  test.each([
    [
      'NOTIONAL_TOO_SMALL',
      { notional: '1000000', limit: '2500000' },
      'The notional 1 tUSD is below the minimum of 2.5 tUSD.',
    ],
    [
      'DEADLINE_TOO_SOON',
      { deadline: '1803859200', limit: '1803859260' },
      'The deadline 2027-03-01 00:00 UTC leaves too little time to take the quote. The earliest is 2027-03-01 00:01 UTC.',
    ],
    [
      'MAKER_BANNED',
      { maker: '0x12', until: 1_803_859_200 },
      'The operator of this service has banned the maker 0x12 until 2027-03-01 00:00 UTC.',
    ],
    ['SERIES_EXPIRED', { seriesKey: '0x12', expiry: 1_803_859_200 }, 'The series expired at 2027-03-01 00:00 UTC.'],
    [
      'SERIES_NOT_FOUND',
      { poolId: '0x12', seriesKey: null, available: [1_803_859_200] },
      'The pool 0x12 has no active series with that or a later expiry. Its active expiries are 2027-03-01 00:00 UTC.',
    ],
  ])('default: %s', (code, facts, sentence) => {
    expect(restateRefusal(code, facts, words)).toBe(sentence)
  })

  test.each([
    ['a code without amounts', 'RATE_LIMITED', { retryAfterSeconds: 3 }],
    ['a code that no object should have', 'constructor', {}],
    ['facts that are missing', 'CAPACITY_EXCEEDED', { notional: '1' }],
    ['facts of another kind', 'CAPACITY_EXCEEDED', { notional: 1, capacity: '2' }],
    ['expiries that are none', 'SERIES_NOT_FOUND', { poolId: '0x12', seriesKey: null, available: ['soon'] }],
    ['no expiries', 'SERIES_NOT_FOUND', { poolId: '0x12', seriesKey: null, available: null }],
  ])("behavior: the service's own sentence stays for %s", (_what, code, facts) => {
    expect(restateRefusal(code, facts, words)).toBeUndefined()
  })

  test('behavior: never throws, whatever the service sends', () => {
    const codes = ['SERIES_EXPIRED', 'SERIES_NOT_FOUND', 'DEADLINE_PASSED', 'CAPACITY_EXCEEDED']
    const names = ['notional', 'capacity', 'deadline', 'limit', 'expiry', 'available', 'seriesKey', 'poolId']
    const value = fc.oneof(fc.anything(), fc.integer(), fc.bigInt({ min: 0n }).map(String), fc.constant('0x12'))
    const facts = fc.dictionary(fc.constantFrom(...names), value)
    let restated = 0
    fc.assert(
      fc.property(fc.constantFrom(...codes), facts, (code, given) => {
        if (restateRefusal(code, given, words) !== undefined) restated += 1
      }),
      { numRuns: 2_000 },
    )
    expect(restated).toBeGreaterThan(0)
  })
})
