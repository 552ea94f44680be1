import { expect, test } from '@jest/globals'
import { newQuote, now } from '../../../test/storedQuotes.ts'
import type { QuoteRecord } from '../../ports/store.ts'
import { quoteRatesAt } from './quoteRates.ts'

const day = 86_400
const created = Number(now)
/** A cost of 0.1 % over 8 days, stored with the rate at its creation. */
const recordOf = (changes: Partial<QuoteRecord> = {}): QuoteRecord => ({
  ...newQuote(1, { notional: 1_000n, vrtAmount: 1n, deadline: now + BigInt(8 * day) }, { apr: 4.5625 }),
  ...{ status: 'active', listed: true, seriesExpiry: created + 8 * day },
  ...changes,
})
const ratesAt = (seconds: number, changes?: Partial<QuoteRecord>) =>
  quoteRatesAt(recordOf(changes), now + BigInt(seconds))

test('default: the same cost over a shorter term is a higher rate', () => {
  expect(ratesAt(0)).toEqual({ apr: 4.5625, effectiveApy: 4.670573 })
  expect(ratesAt(4 * day)).toEqual({ apr: 9.125, effectiveApy: 9.559288 })
  expect(ratesAt(8 * day - 1)).toEqual({ apr: 3_153_600, effectiveApy: null })
})

test('behavior: the rates of a quote that has ended are as of its creation', () => {
  for (const ended of [
    ratesAt(8 * day),
    ratesAt(9 * day, { seriesExpiry: created + 8 * day }),
    ratesAt(4 * day, { status: 'filled' }),
  ]) {
    expect(ended).toEqual({ apr: 4.5625, effectiveApy: 4.670573 })
  }
  // A clock may have been ahead of the chain.
  expect(ratesAt(0, { status: 'filled', createdAt: (created + 9 * day) * 1_000 })).toEqual(ratesAt(8 * day - 1))
})

test('behavior: without a known expiry, the stored rate alone', () => {
  const { seriesExpiry: _, ...kept } = recordOf()
  expect(quoteRatesAt(kept, now + 4n)).toEqual({ apr: 4.5625 })
})
