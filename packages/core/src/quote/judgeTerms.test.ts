import { describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { account, vectorQuote } from '../../test/quoteArbitrary.ts'
import { judgeTerms, type QuoteTerms } from './judgeTerms.ts'
import type { Rejection } from './rejection.ts'

const other = '0xabcDEF2222222222222222222222222222222222'
const otherId = `0x${'ab'.repeat(32)}` as const
const now = 1_767_225_600n
const { poolId, seriesKey, notional, vrtAmount } = vectorQuote
const terms: QuoteTerms = {
  maker: account.address,
  poolId,
  seriesKey,
  notional,
  maxVrtAmount: vrtAmount,
  minNotional: notional / 10n,
  minDeadline: now + 30n,
  lifetime: { min: 20, max: 86_400 },
}

describe('judgeTerms', () => {
  test('default: at every limit exactly', () => {
    expect(judgeTerms(vectorQuote, terms, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, deadline: now + 30n }, terms, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, deadline: now + 20n }, { ...terms, minDeadline: 0n }, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, notional: notional / 10n, vrtAmount: 0n }, terms, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, deadline: now + 86_400n }, terms, now)).toBeNull()
  })

  test('behavior: hex is the same in any case', () => {
    const mixed = { ...vectorQuote, poolId: otherId, seriesKey: otherId, taker: other } as const
    const upper = `0x${'AB'.repeat(32)}` as const
    const lower = { maker: account.address.toLowerCase() as typeof other, taker: other.toLowerCase() as typeof other }
    expect(judgeTerms(mixed, { ...terms, ...lower, poolId: upper, seriesKey: upper }, now)).toBeNull()
  })

  test('behavior: without terms, only the deadline and the quote itself count', () => {
    expect(judgeTerms({ ...vectorQuote, taker: other, deadline: now }, {}, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, taker: other, deadline: now }, { taker: account.address }, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, deadline: now - 1n }, {}, now)?.code).toBe('DEADLINE_PASSED')
  })

  test('error: a cost above the notional, whatever the request allows', () => {
    const quote = { ...vectorQuote, notional: 100n, vrtAmount: 100n }
    const wide = { ...terms, minNotional: 1n, maxVrtAmount: 1_000n, notional: 1_000n }
    expect(judgeTerms(quote, wide, now)).toBeNull()
    const refused = { code: 'VRT_AMOUNT_TOO_LARGE', vrtAmount: 101n, limit: 100n }
    expect(judgeTerms({ ...quote, vrtAmount: 101n }, wide, now)).toEqual(refused)
    expect(judgeTerms({ ...quote, vrtAmount: 101n }, {}, now)).toEqual(refused)
    expect(judgeTerms({ ...quote, vrtAmount: 100n }, { ...wide, maxVrtAmount: 99n }, now)).toMatchObject({ limit: 99n })
  })

  test('error: a notional of 2^127, whatever the request allows', () => {
    const most = 2n ** 127n - 1n
    expect(judgeTerms({ ...vectorQuote, notional: most }, {}, now)).toBeNull()
    const refused = { code: 'NOTIONAL_TOO_LARGE', notional: most + 1n, limit: most }
    expect(judgeTerms({ ...vectorQuote, notional: most + 1n }, {}, now)).toEqual(refused)
    expect(judgeTerms({ ...vectorQuote, notional: most + 1n }, { notional: most + 2n }, now)).toEqual(refused)
  })

  test("behavior: a quote's taker is zero or the RFQ's taker", () => {
    expect(judgeTerms({ ...vectorQuote, taker: other }, { ...terms, taker: other }, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, taker: zeroAddress }, { ...terms, taker: other }, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, taker: account.address }, { ...terms, taker: other }, now)).toEqual({
      code: 'TERMS_MISMATCH',
      field: 'taker',
      value: account.address,
      expected: other,
    })
  })

  test.each<[Partial<typeof vectorQuote>, Rejection]>([
    [{ maker: other }, { code: 'MAKER_MISMATCH', maker: other, expected: account.address }],
    [{ poolId: otherId }, { code: 'TERMS_MISMATCH', field: 'poolId', value: otherId, expected: poolId }],
    [{ seriesKey: otherId }, { code: 'TERMS_MISMATCH', field: 'seriesKey', value: otherId, expected: seriesKey }],
    [{ taker: other }, { code: 'TERMS_MISMATCH', field: 'taker', value: other, expected: zeroAddress }],
    [
      { notional: notional / 10n - 1n },
      { code: 'NOTIONAL_TOO_SMALL', notional: notional / 10n - 1n, limit: notional / 10n },
    ],
    [{ notional: notional + 1n }, { code: 'NOTIONAL_TOO_LARGE', notional: notional + 1n, limit: notional }],
    [{ vrtAmount: vrtAmount + 1n }, { code: 'VRT_AMOUNT_TOO_LARGE', vrtAmount: vrtAmount + 1n, limit: vrtAmount }],
    [{ deadline: now - 1n }, { code: 'DEADLINE_PASSED', deadline: now - 1n, limit: now }],
    [{ deadline: now + 29n }, { code: 'DEADLINE_TOO_SOON', deadline: now + 29n, limit: now + 30n }],
    [{ deadline: now + 86_401n }, { code: 'DEADLINE_TOO_FAR', deadline: now + 86_401n, limit: now + 86_400n }],
  ])('error: %p is %p', (change, rejection) => {
    expect(judgeTerms({ ...vectorQuote, ...change }, terms, now)).toEqual(rejection)
  })

  test('error: a deadline sooner than a quote must last', () => {
    expect(judgeTerms({ ...vectorQuote, deadline: now + 19n }, { ...terms, minDeadline: 0n }, now)).toEqual({
      code: 'DEADLINE_TOO_SOON',
      deadline: now + 19n,
      limit: now + 20n,
    })
  })
})
