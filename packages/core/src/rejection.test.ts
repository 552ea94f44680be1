import { describe, expect, test } from '@jest/globals'
import { codes, describeRejection, type Rejection, rejectionDetails } from './rejection.ts'

describe('rejectionDetails', () => {
  test('default: JSON without the code, amounts as strings', () => {
    expect(rejectionDetails({ code: 'NOTIONAL_TOO_LARGE', notional: 2n, limit: 1n })).toEqual({
      notional: '2',
      limit: '1',
    })
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

  test('behavior: says both what is and what would be right', () => {
    const rejection: Rejection = { code: 'NONCE_MISMATCH', nonce: 1n, makerNonce: 3n }
    expect(describeRejection(rejection)).toBe("The quote's nonce is 1, the maker's current nonce is 3.")
  })

  test('behavior: an unknown outcome names the quote that is to be sent again', () => {
    const rejection: Rejection = { code: 'OUTCOME_UNKNOWN', hash: '0xab' }
    expect(describeRejection(rejection)).toBe(
      'Whether the quote 0xab was stored is not known yet; send the same quote again, and no other.',
    )
    expect(rejectionDetails(rejection)).toEqual({ hash: '0xab' })
  })

  test('behavior: a key that was used before is not repeated in the answer', () => {
    const rejection: Rejection = { code: 'IDEMPOTENCY_KEY_REUSED' }
    expect(describeRejection(rejection)).toBe(
      'The Idempotency-Key belongs to another request; use a new one for each request.',
    )
    expect(rejectionDetails(rejection)).toEqual({})
  })
})

describe('codes', () => {
  test('default: stable names, none twice', () => {
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
  })
})
