import { expect, test } from '@jest/globals'
import {
  examplePool,
  examplePosition,
  exampleQuote,
  exampleSettlement,
  hex,
  later,
  now,
} from '../../../test/fixing/exampleMarket.ts'
import { makerFigures } from './makerFigures.ts'

const token = examplePool().loanToken
const pools = [examplePool()]
const none = { pools, quotes: [], positions: [], now }

test('default: open positions are locked, and all of them are volume', () => {
  const positions = [
    examplePosition({ role: 'maker' }),
    examplePosition({ role: 'maker', positionId: 2n, notional: 500_000n, settlement: exampleSettlement(5n) }),
    // What the account has fixed itself is no fill of the maker.
    examplePosition({ positionId: 3n }),
  ]
  expect(makerFigures({ ...none, positions })).toMatchObject({
    locked: [{ token, amount: 1_000_000n }],
    open: 1,
    fills: 2,
    volume: [{ token, amount: 1_500_000n }],
  })
})

test('default: the best rate is of a quote that can be taken', () => {
  const dear = exampleQuote({ notional: 500_000n, vrtAmount: 20_000n })
  const usual = exampleQuote({}, { hash: hex('02') })
  const gone = exampleQuote({ vrtAmount: 1n }, { hash: hex('03'), executable: false })
  const { published, takeable, markets } = makerFigures({ ...none, quotes: [dear, usual, gone] })
  expect([published, takeable]).toEqual([3, 2])
  expect(markets).toMatchObject([
    { count: 3, least: 500_000n, most: 1_000_000n, best: { stored: { hash: hex('02') } } },
  ])
})

test('behavior: rates of different terms are compared a year', () => {
  const longer = exampleQuote({ seriesKey: later.seriesKey, vrtAmount: 40_000n }, { hash: hex('02') })
  expect(makerFigures({ ...none, quotes: [exampleQuote(), longer] }).markets[0]?.best?.stored).toBe(longer)
})

test('behavior: nothing known is nothing', () => {
  expect(makerFigures(none)).toEqual({
    ...{ locked: [], open: 0, fills: 0, volume: [], published: 0, takeable: 0, markets: [] },
  })
})
