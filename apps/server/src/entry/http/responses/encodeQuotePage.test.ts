import { encodeJson } from '@firmquote/core/utils'
import { decodeOrThrow, quotePageShape } from '@firmquote/core/wire'
import { describe, expect, test } from '@jest/globals'
import { newQuote } from '../../../../test/storedQuotes.ts'
import { encodeBody } from '../../../adapters/sqlStore/quotes/quoteRows.ts'
import type { ListedVerdict } from '../../../app/quotes/quoteListing.ts'
import type { QuoteRates } from '../../../app/quotes/quoteRates.ts'
import { encodeQuotePage } from './encodeQuotePage.ts'

const rates: QuoteRates[] = [{ apr: 0 }, { apr: 1 / 3, effectiveApy: null }, { apr: 1e-10, effectiveApy: 7.700592 }]
const verdicts: ListedVerdict[] = [
  {},
  { executable: false, reason: 'CHAIN_UNAVAILABLE', unproven: true },
  { executable: false, reason: 'a "word" \\ of the contract\n', overcommitted: true },
  { executable: true, overcommitted: false, judgedAt: { number: 2n ** 60n, hash: `0x${'ab'.repeat(32)}` } },
]

describe('encodeQuotePage', () => {
  test('default: it parses to the same page as when each value is encoded', () => {
    const records = verdicts.map((verdict, n) => ({
      ...newQuote(n),
      rates: rates[n % rates.length] ?? { apr: 0 },
      verdict,
    }))
    for (const nextCursor of [null, 'WyJyYXRlIl0']) {
      const quotes = records.map(({ rates, verdict, ...record }) => ({
        text: encodeBody(record),
        judged: { status: 'active' as const, rates, verdict },
      }))
      const plain = records.map(({ rates, verdict, ...record }) => ({
        ...record,
        ...rates,
        status: 'active',
        ...verdict,
      }))
      const text = encodeQuotePage({ quotes, nextCursor })
      expect(JSON.parse(text)).toEqual(JSON.parse(encodeJson({ quotes: plain, nextCursor })))
      expect(decodeOrThrow(quotePageShape, JSON.parse(text), 'page')).toEqual({ quotes: plain, nextCursor })
    }
  })

  test('default: no quotes', () => {
    expect(encodeQuotePage({ quotes: [], nextCursor: null })).toBe('{"quotes":[],"nextCursor":null}')
  })
})
