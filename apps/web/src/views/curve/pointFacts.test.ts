import { expect, test } from '@jest/globals'
import { firmPoints, indicativePoints } from './curvePoints.ts'
import { count, pointFacts } from './pointFacts.ts'
import { choice, now, observation, storedQuote } from './testing/exampleQuotes.ts'

const token = { address: `0x${'11'.repeat(20)}`, symbol: 'tUSD', decimals: 0 } as const

test('default: a firm quote in words', () => {
  const [point] = firmPoints([storedQuote()], choice)
  expect(point && pointFacts(point, token, '21 Nov 2027', now * 1000)).toEqual({
    label: 'Firm quote, 21 Nov 2027, 6.00% APR',
    facts: [
      { name: 'Total cost', value: '15 tUSD' },
      { name: 'Size', value: '250 tUSD' },
      { name: 'Depth', value: '1 quote, 250 tUSD' },
      { name: 'Makers', value: '1' },
      { name: 'Published', value: '1m ago' },
      { name: 'Valid until', value: '2026-11-21 10:56 UTC' },
    ],
  })
})

test('behavior: an indicative one is never called a quote, and has no end of its own', () => {
  const [point] = indicativePoints([observation()], choice)
  const words = point && pointFacts(point, token, '21 Nov 2027', now * 1000)
  expect(words?.label).toBe('Indicative, 21 Nov 2027, 6.00% APR')
  expect(words?.facts.map(({ name }) => name)).toEqual(['Total cost as seen', 'Size', 'Depth', 'Makers', 'Seen'])
})

test('behavior: what the server has seen a moment from now is not in the future', () => {
  const [point] = firmPoints([storedQuote({ createdAt: now * 1000 + 500 })], choice)
  expect(point && pointFacts(point, token, '', now * 1000).facts[4]?.value).toBe('0s ago')
})

test('behavior: one quote, two quotes', () => {
  expect([count(1, 'quote'), count(2, 'quote')]).toEqual(['1 quote', '2 quotes'])
})
