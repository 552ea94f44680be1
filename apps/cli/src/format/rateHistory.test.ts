import { aprToRatePerSec, type RateHistory } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { renderRateHistory } from './rateHistory.ts'
import { plainStyle } from './style.ts'

const token = { symbol: 'tUSD', decimals: 6 }
const day = 86_400
const monday = Date.UTC(2026, 10, 16) / 1_000
const empty: RateHistory = {
  poolId: `0x${'ab'.repeat(32)}`,
  from: monday,
  to: monday + 2 * day,
  step: 3_600,
  floating: [],
  fixed: [],
}

test('default: a line for each rate, in the order of time', () => {
  const history: RateHistory = {
    ...empty,
    floating: [
      { at: monday, ratePerSec: aprToRatePerSec(6.25), apr: 6.25, block: 7 },
      { at: monday + day + 3_600, ratePerSec: 2n ** 255n, apr: 6.5, block: 90 },
    ],
    fixed: [
      {
        seriesKey: `0x${'01'.repeat(32)}`,
        expiry: monday + 91 * day,
        points: [
          { at: monday + day, fills: { apr: 6.53, effectiveApy: 6.8, notional: 250_000_000_000n, count: 12 } },
          { at: monday + 2 * day, offer: { apr: 6.4, notional: 1_000_000n } },
        ],
      },
    ],
  }
  expect(renderRateHistory(history, token, plainStyle).split('\n')).toEqual([
    'RATE      AT                      APR  EFF. APY  UNTIL                         SIZE  FILLS  BLOCK',
    'floating  2026-11-16 00:00 UTC  6.25%     6.45%  -                                -      -      7',
    'fixed     2026-11-17 00:00 UTC  6.53%     6.80%  2027-02-15 00:00 UTC  250,000 tUSD     12      -',
    'floating  2026-11-17 01:00 UTC  6.50%         -  -                                -      -     90',
    'offer     2026-11-18 00:00 UTC  6.40%         -  2027-02-15 00:00 UTC        1 tUSD      -      -',
  ])
})

test('behavior: without any, titles alone', () => {
  expect(renderRateHistory(empty, token, plainStyle)).toBe('RATE  AT  APR  EFF. APY  UNTIL  SIZE  FILLS  BLOCK')
})
