import { describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { judgeTerms, type QuoteTerms } from './judgeTerms.ts'
import type { QuoteMarketQuote } from './quote.ts'
import { account, vectorQuote } from './testing/quoteArbitrary.ts'

const other = '0x2222222222222222222222222222222222222222'
const now = 1_767_225_600n
const terms: QuoteTerms = {
  maker: account.address,
  poolId: vectorQuote.poolId,
  seriesKey: vectorQuote.seriesKey,
  notional: vectorQuote.notional,
  maxVrtAmount: vectorQuote.vrtAmount,
  lifetime: { min: 20, max: 86_400 },
}

describe('judgeTerms', () => {
  test('default: at every limit exactly', () => {
    expect(judgeTerms(vectorQuote, terms, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, deadline: now + 20n }, terms, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, deadline: now + 86_400n }, terms, now)).toBeNull()
  })

  test('behavior: hex is compared without regard to case', () => {
    const upper = { maker: account.address.toLowerCase() as `0x${string}`, poolId: `0x${'AB'.repeat(32)}` } as const
    const quote = { ...vectorQuote, poolId: `0x${'ab'.repeat(32)}` } as const
    expect(judgeTerms(quote, { ...terms, ...upper }, now)).toBeNull()
  })

  test('behavior: without terms only the deadline counts', () => {
    expect(judgeTerms({ ...vectorQuote, taker: other, deadline: now }, {}, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, deadline: now - 1n }, {}, now)?.code).toBe('DEADLINE_PASSED')
  })

  test('behavior: a taker must be nobody in particular, or the one who asks', () => {
    expect(judgeTerms({ ...vectorQuote, taker: other }, { ...terms, taker: other }, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, taker: zeroAddress }, { ...terms, taker: other }, now)).toBeNull()
    expect(judgeTerms({ ...vectorQuote, taker: account.address }, { ...terms, taker: other }, now)).toEqual({
      code: 'TERMS_MISMATCH',
      field: 'taker',
      value: account.address,
      expected: other,
    })
  })

  test.each<[string, Partial<QuoteMarketQuote>]>([
    ['MAKER_MISMATCH', { maker: other }],
    ['TERMS_MISMATCH', { poolId: `0x${'23'.repeat(32)}` }],
    ['TERMS_MISMATCH', { seriesKey: `0x${'23'.repeat(32)}` }],
    ['TERMS_MISMATCH', { taker: other }],
    ['NOTIONAL_TOO_LARGE', { notional: vectorQuote.notional + 1n }],
    ['VRT_AMOUNT_TOO_LARGE', { vrtAmount: vectorQuote.vrtAmount + 1n }],
    ['DEADLINE_PASSED', { deadline: now - 1n }],
    ['DEADLINE_TOO_SOON', { deadline: now + 19n }],
    ['DEADLINE_TOO_FAR', { deadline: now + 86_401n }],
  ])('error: %s %p', (code, change) => {
    expect(judgeTerms({ ...vectorQuote, ...change }, terms, now)).toMatchObject({ code })
  })
})
