import { describe, expect, test } from '@jest/globals'
import { codes, describeRejection, isTemporary, type Rejection, rejectionDetails } from './rejection.ts'

describe('rejectionDetails', () => {
  test('default: JSON without the code, amounts as strings', () => {
    expect(rejectionDetails({ code: 'NOTIONAL_TOO_LARGE', notional: 2n, limit: 1n })).toEqual({
      notional: '2',
      limit: '1',
    })
  })
})

describe('isTemporary', () => {
  test("default: what the service itself could not do; an unknown outcome and a limit of the sender's are something else", () => {
    expect(codes.filter(isTemporary)).toEqual([
      'OVERLOADED',
      'CHAIN_UNAVAILABLE',
      'CHAIN_DISAGREES',
      'STORAGE_UNAVAILABLE',
    ])
  })
})

describe('describeRejection', () => {
  const causes = [
    'not_65_bytes',
    'v_not_27_or_28',
    'high_s',
    'unrecoverable',
    'wrong_chain',
    'wrong_contract',
    'stale_nonce',
    'other_signer',
    null,
  ] as const

  test('behavior: one sentence for every cause of a bad signature', () => {
    const texts = causes.map((cause) =>
      describeRejection({ code: 'BAD_SIGNATURE', digest: '0x', recovered: null, cause }),
    )
    for (const text of texts) expect(text).toMatch(/^The .*\.$/)
    expect(new Set(texts).size).toBe(7)
  })

  test('behavior: states both the actual and the expected value', () => {
    const rejection: Rejection = { code: 'NONCE_MISMATCH', nonce: 1n, makerNonce: 3n }
    expect(describeRejection(rejection)).toBe("The quote's nonce is 1, but the maker's current nonce is 3.")
  })

  test.each([
    ['rfqs', null, 'The operator has halted new RFQs.'],
    ['pool', null, 'The operator has halted this pool.'],
    [
      'series',
      'The price feed is being replaced.',
      'The operator has halted this series: The price feed is being replaced.',
    ],
  ] as const)('behavior: says what is halted (%s), with the message if there is one', (scope, message, text) => {
    expect(describeRejection({ code: 'MARKET_HALTED', scope, since: 1, message })).toBe(text)
  })

  test('behavior: uses the given formatters for amounts and times', () => {
    const words = {
      amount: (raw: bigint) => `${raw} units`,
      instant: (seconds: bigint | number) => `second ${seconds}`,
    }
    const inWords = (rejection: Rejection) => describeRejection(rejection, words)
    const pair = { limit: 2n, needed: 2n, capacity: 2n }
    const amounts: Rejection[] = [
      { code: 'NOTIONAL_TOO_SMALL', notional: 1n, ...pair },
      { code: 'NOTIONAL_TOO_LARGE', notional: 1n, ...pair },
      { code: 'VRT_AMOUNT_TOO_LARGE', vrtAmount: 1n, ...pair },
      { code: 'CAPACITY_EXCEEDED', notional: 1n, ...pair },
      { code: 'INSUFFICIENT_BALANCE', balance: 1n, ...pair },
      { code: 'INSUFFICIENT_ALLOWANCE', allowance: 1n, ...pair },
    ]
    for (const rejection of amounts) expect(inWords(rejection)).toMatch(/ 1 units .* 2 units[ .]/)
    for (const code of ['DEADLINE_PASSED', 'DEADLINE_TOO_SOON', 'DEADLINE_TOO_FAR'] as const)
      expect(inWords({ code, deadline: 1n, limit: 2n })).toMatch(/ second 1 .* second 2[ .]/)
    expect(inWords({ code: 'SERIES_EXPIRED', seriesKey: '0x', expiry: 3 })).toBe('The series expired at second 3.')
    expect(inWords({ code: 'SERIES_NOT_FOUND', poolId: '0xab', seriesKey: null, available: [3, 4] })).toBe(
      'The pool 0xab has no active series with that or a later expiry. Its active expiries are second 3, second 4.',
    )
  })

  test('behavior: an unknown outcome names the quote to resend', () => {
    const rejection: Rejection = { code: 'OUTCOME_UNKNOWN', hash: '0xab' }
    expect(describeRejection(rejection)).toBe(
      'It is not yet known whether the quote 0xab was stored. Retry with exactly the same quote.',
    )
    expect(rejectionDetails(rejection)).toEqual({ hash: '0xab' })
  })

  test('behavior: the response does not repeat a reused key', () => {
    const rejection: Rejection = { code: 'IDEMPOTENCY_KEY_REUSED' }
    expect(describeRejection(rejection)).toBe(
      'The Idempotency-Key belongs to another request. Use a new key for each request.',
    )
    expect(rejectionDetails(rejection)).toEqual({})
  })
})

describe('codes', () => {
  test('default: stable, unique names', () => {
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
  })
})
