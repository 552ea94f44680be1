import { expect, test } from '@jest/globals'
import { fitsSize } from '../../service/fitsSize.ts'
import { submissionWindowSeconds } from '../../service/submissionWindow.ts'
import { firmPoints, firmSizes, indicativePoints, orderPoints } from './curvePoints.ts'
import { account, choice, makers, now, observation, series, storedQuote } from './testing/exampleQuotes.ts'

test('default: the best quote of each maturity, with its rate for the time that is left', () => {
  const near = storedQuote({ quote: { seriesKey: series[0].seriesKey, vrtAmount: 4n } })
  const dear = storedQuote({ quote: { maker: makers[1], vrtAmount: 16n } })
  const best = storedQuote({ quote: { vrtAmount: 15n }, apr: 99 })
  expect(firmPoints([dear, best, near], choice)).toEqual([
    expect.objectContaining({ kind: 'firm', hash: near.hash, expiry: series[0].expiry, apr: 6.4, cost: 4n }),
    {
      kind: 'firm',
      hash: best.hash,
      maker: makers[0],
      seriesKey: series[1].seriesKey,
      expiry: series[1].expiry,
      apr: 6,
      notional: 250n,
      cost: 15n,
      depth: { quotes: 2, makers: 2, notional: 500n },
      at: best.createdAt,
      validUntil: now + 3_600,
    },
  ])
})

test.each([
  [250n, true],
  [251n, false],
  [125n, true],
  [124n, false],
])('behavior: for a size of 250 a quote for %s fits: %s', (notional, fits) => {
  expect(fitsSize(notional, 250n)).toBe(fits)
  expect(firmPoints([storedQuote({ quote: { notional } })], choice)).toHaveLength(fits ? 1 : 0)
  expect(indicativePoints([observation({ notional })], choice)).toHaveLength(fits ? 1 : 0)
})

test('behavior: half of an odd size is never less than half', () => {
  expect([fitsSize(2n, 5n), fitsSize(3n, 5n)]).toEqual([false, true])
})

test.each([
  ['not executable', storedQuote({ executable: false, reason: 'INSUFFICIENT_BALANCE' })],
  ['not judged', storedQuote({ executable: undefined } as object)],
  ['of a contract none of whose quotes was ever taken', storedQuote({ unproven: true })],
  ['over', storedQuote({ status: 'filled' })],
  ['without its signature', storedQuote({ quote: { signature: undefined } as object })],
  ["another account's", storedQuote({ quote: { taker: account } })],
  ['about to end', storedQuote({ quote: { deadline: BigInt(now + submissionWindowSeconds - 1) } })],
  ['of a series that is not active', storedQuote({ quote: { seriesKey: `0x${'99'.repeat(32)}` } })],
])('behavior: no point is made of a quote that is %s', (_, stored) => {
  expect(firmPoints([stored], choice)).toEqual([])
})

test('behavior: a quote for one account counts for that account', () => {
  const mine = storedQuote({ quote: { taker: account } })
  expect(firmPoints([mine], { ...choice, account })).toHaveLength(1)
  expect(firmPoints([mine], { ...choice, account: makers[2] })).toEqual([])
})

test('behavior: a quote can be taken until the submission window begins', () => {
  const quote = { deadline: BigInt(now + submissionWindowSeconds) }
  expect(firmPoints([storedQuote({ quote })], choice)).toHaveLength(1)
})

test('behavior: a series has points until it ends', () => {
  const { expiry } = series[1]
  expect(indicativePoints([observation()], { ...choice, now: expiry - 1 })).toHaveLength(1)
  expect(indicativePoints([observation()], { ...choice, now: expiry })).toEqual([])
})

test('behavior: of equal rates the larger quote leads, then the earlier one', () => {
  const small = storedQuote({ quote: { notional: 150n, vrtAmount: 9n }, createdAt: 1 })
  const late = storedQuote({ createdAt: 3 })
  const early = storedQuote({ createdAt: 2 })
  expect(firmPoints([small, late, early], choice)[0]?.hash).toBe(early.hash)
})

test('behavior: a maker adds up, unless it has published more than it can pay for', () => {
  const [rich, poor] = [{ maker: makers[0] }, { maker: makers[1] }]
  const quotes = [
    storedQuote({ quote: rich }),
    storedQuote({ quote: { ...rich, notional: 200n } }),
    storedQuote({ quote: poor, overcommitted: true }),
    storedQuote({ quote: { ...poor, notional: 240n }, overcommitted: true }),
    storedQuote({ quote: { maker: makers[2], notional: 130n } }),
  ]
  expect(firmPoints(quotes, choice)[0]?.depth).toEqual({ quotes: 5, makers: 3, notional: 830n })
})

test('behavior: an observation is indicative, at the rate that was seen', () => {
  const seen = observation({ apr: 6.5 })
  expect(indicativePoints([seen], { ...choice, now: now + 1_000_000 })).toEqual([
    {
      kind: 'indicative',
      hash: seen.hash,
      maker: makers[0],
      seriesKey: series[1].seriesKey,
      expiry: series[1].expiry,
      apr: 6.5,
      notional: 250n,
      cost: 15n,
      depth: { quotes: 1, makers: 1, notional: 250n },
      at: seen.observedAt,
    },
  ])
})

test('behavior: only what a maker has said last counts, and the best of that', () => {
  const before = observation({ apr: 5, observedAt: 1 })
  const after = observation({ apr: 7, observedAt: 2 })
  const other = observation({ apr: 6, observedAt: 3, maker: makers[1] })
  const [point] = indicativePoints([after, other, before], choice)
  expect(point).toMatchObject({ hash: other.hash, apr: 6, depth: { quotes: 2, makers: 2, notional: 500n } })
})

test('behavior: an observation whose terms no longer hold makes no point', () => {
  expect(indicativePoints([observation({ executable: false, reason: 'DEADLINE_PASSED' })], choice)).toEqual([])
})

test('behavior: points stand in the order of their maturity, firm before indicative', () => {
  const near = { quote: { seriesKey: series[0].seriesKey } }
  const firm = firmPoints([storedQuote(), storedQuote(near)], choice)
  const seen = indicativePoints([observation(), observation({ seriesKey: series[0].seriesKey })], choice)
  expect(orderPoints([...seen, ...firm])).toEqual([firm[0], seen[0], firm[1], seen[1]])
})

test('behavior: the sizes that can be had, most common first', () => {
  const quotes = [100n, 1_000n, 1_000n, 5n].map((notional) => storedQuote({ quote: { notional } }))
  expect(firmSizes([...quotes, storedQuote({ executable: false })], choice)).toEqual([1_000n, 100n, 5n])
})
