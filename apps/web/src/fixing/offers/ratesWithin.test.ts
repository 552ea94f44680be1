import { aprToApy, type RateHistory } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { ratesWithin } from './ratesWithin.ts'

const day = 86_400
/** The effective APY of a simple APR for a number of days, rounded to 1e-6. */
const effective = (apr: number, days: number) => {
  const [share, periods] = [((apr / 100) * days) / 365, 365 / days]
  return Math.round(((1 - share) ** -periods - 1) * 1e8) / 1e6
}
const [first, second]: [Hex, Hex] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`]
const history: Pick<RateHistory, 'floating' | 'fixed'> = {
  floating: [day, 2 * day, 3 * day].map((at) => ({ at, ratePerSec: 1n, apr: at / day, block: 1 })),
  fixed: [
    { seriesKey: first, expiry: 90 * day, points: [{ at: 2 * day, fills: { apr: 6, notional: 9n, count: 2 } }] },
    {
      seriesKey: second,
      expiry: 180 * day,
      points: [
        { at: day, fills: { apr: 7, notional: 1n, count: 1 } },
        { at: 2 * day, fills: { apr: 0, notional: 8n, count: 50 } },
        { at: 3 * day, offer: { apr: 5, notional: 1n } },
      ],
    },
  ],
}

test('default: every rate, of each day that of the series in which the most was fixed', () => {
  expect(ratesWithin(history, { from: 0 })).toEqual({
    floating: [1, 2, 3].map((apr) => ({ at: apr * day, percent: aprToApy(apr) })),
    fixed: [
      { at: day, percent: effective(7, 179), notional: 1n, count: 1 },
      { at: 2 * day, percent: effective(6, 88), notional: 9n, count: 2 },
      { at: 3 * day, percent: effective(5, 177), notional: 1n, count: 0 },
    ],
  })
})

test('behavior: on a day without fills the lowest offer, and a fill comes before every offer', () => {
  const [offer, fills] = [
    { apr: 1, notional: 2n },
    { apr: 9, notional: 3n, count: 1 },
  ]
  const of = (seriesKey: Hex, point: object) => ({ seriesKey, expiry: 90 * day, points: [{ at: day, ...point }] })
  const on = (...fixed: ReturnType<typeof of>[]) => ratesWithin({ floating: [], fixed }, { from: 0 }).fixed
  const worse = of(second, { offer: { ...offer, apr: 2 } })
  const lowest = [{ at: day, percent: effective(1, 89), notional: 2n, count: 0 }]
  expect(on(of(first, { offer }), worse)).toEqual(lowest)
  expect(on(worse, of(first, { offer }))).toEqual(lowest)
  const filled = [{ at: day, percent: effective(9, 89), notional: 3n, count: 1 }]
  expect(on(of(first, { offer, fills }), worse)).toEqual(filled)
  expect(on(worse, of(first, { fills }))).toEqual(filled)
})

test('behavior: of one series alone', () => {
  expect(ratesWithin(history, { seriesKey: first, from: 0 }).fixed).toEqual([
    { at: 2 * day, percent: effective(6, 88), notional: 9n, count: 2 },
  ])
  expect(ratesWithin(history, { seriesKey: second, from: 0 }).fixed.map(({ percent }) => percent)).toEqual([
    effective(7, 179),
    0,
    effective(5, 177),
  ])
  expect(ratesWithin(history, { seriesKey: `0x${'03'.repeat(32)}`, from: 0 }).fixed).toEqual([])
})

test('behavior: from an instant on, that included, and the fixed rate of its day', () => {
  expect(ratesWithin(history, { from: 2 * day }).floating.map(({ at }) => at)).toEqual([2 * day, 3 * day])
  expect(ratesWithin(history, { from: 2 * day + 1 }).floating.map(({ at }) => at)).toEqual([3 * day])
  expect(ratesWithin(history, { from: 2 * day + 1 }).fixed.map(({ at }) => at)).toEqual([2 * day, 3 * day])
  expect(ratesWithin(history, { from: 3 * day + 1 }).fixed.map(({ at }) => at)).toEqual([3 * day])
  expect(ratesWithin(history, { from: 4 * day }).fixed).toEqual([])
})

test('behavior: an offer of more than half of its amount is left out, because it never pays off', () => {
  const of = (apr: number) => ({ at: day, offer: { apr, notional: 1n } })
  const on = (apr: number) =>
    ratesWithin({ floating: [], fixed: [{ seriesKey: first, expiry: 366 * day, points: [of(apr)] }] }, { from: 0 })
      .fixed
  expect(on(50).map(({ percent }) => percent)).toEqual([100])
  expect(on(50.1)).toEqual([])
})

test('behavior: across terms, the offer with the lower effective APY is the better one', () => {
  const of = (seriesKey: Hex, days: number, apr: number) => ({
    seriesKey,
    expiry: (days + 1) * day,
    points: [{ at: day, offer: { apr, notional: 1n } }],
  })
  // 9.00 % for ten days is 9.43 % APY, and 8.90 % for a year is 9.77 %.
  const fixed = [of(first, 10, 9), of(second, 365, 8.9)]
  expect(ratesWithin({ floating: [], fixed }, { from: 0 }).fixed.map(({ percent }) => percent)).toEqual([
    effective(9, 10),
  ])
})
