import { decodeOrThrow, encodeJson, quotePageShape } from '@firmquote/core/wire'
import { describe, expect, test } from '@jest/globals'
import { newQuote } from '../../../../test/storedQuotes.ts'
import { encodeBody } from '../../../adapters/sqlStore/quotes/quoteRows.ts'
import type { ListedVerdict } from '../../../app/quotes/quoteListing.ts'
import { encodeQuotePage } from './encodeQuotePage.ts'

const verdicts: ListedVerdict[] = [
  {},
  { executable: false, reason: 'CHAIN_UNAVAILABLE', unproven: true },
  { executable: false, reason: 'a "word" \\ of the contract\n', overcommitted: true },
  { executable: true, overcommitted: false, judgedAt: { number: 2n ** 60n, hash: `0x${'ab'.repeat(32)}` } },
]

describe('encodeQuotePage', () => {
  test('default: it parses to the same page as when each value is encoded', () => {
    const records = verdicts.map((verdict, n) => ({ ...newQuote(n, {}, { apr: n / 3 }), verdict }))
    for (const nextCursor of [null, 'WyJyYXRlIl0']) {
      const quotes = records.map(({ verdict, ...record }) => ({
        text: encodeBody(record),
        judged: { status: 'active' as const, verdict },
      }))
      const plain = records.map(({ verdict, ...record }) => ({ ...record, status: 'active', ...verdict }))
      const text = encodeQuotePage({ quotes, nextCursor })
      expect(JSON.parse(text)).toEqual(JSON.parse(encodeJson({ quotes: plain, nextCursor })))
      expect(decodeOrThrow(quotePageShape, JSON.parse(text), 'page')).toEqual({ quotes: plain, nextCursor })
    }
  })

  test('default: no quotes', () => {
    expect(encodeQuotePage({ quotes: [], nextCursor: null })).toBe('{"quotes":[],"nextCursor":null}')
  })
})
