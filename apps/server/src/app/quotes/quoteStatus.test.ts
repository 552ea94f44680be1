import { expect, test } from '@jest/globals'
import { newQuote } from '../../../test/storedQuotes.ts'
import type { QuoteRecord } from '../../ports/store.ts'
import { quoteStatusAt } from './quoteStatus.ts'

const deadline = 1_000n
const recordOf = (changes: Partial<QuoteRecord> = {}): QuoteRecord => ({
  ...newQuote(1, { deadline }),
  status: 'active',
  listed: true,
  ...changes,
})

test('default: active through the second of the deadline, expired from the next one on', () => {
  const record = recordOf()
  expect([999n, 1_000n, 1_001n].map((now) => quoteStatusAt(record, now))).toEqual(['active', 'active', 'expired'])
})

test('behavior: expired from the second of the expiry of its series on', () => {
  const record = recordOf({ seriesExpiry: 500 })
  expect([499n, 500n, 501n].map((now) => quoteStatusAt(record, now))).toEqual(['active', 'expired', 'expired'])
})

test.each(['filled', 'cancelled', 'nonce_raised'] as const)('behavior: %s remains after both', (status) => {
  expect(quoteStatusAt(recordOf({ status, seriesExpiry: 500 }), 2_000n)).toBe(status)
})
