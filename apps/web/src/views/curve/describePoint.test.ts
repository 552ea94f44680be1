import { expect, test } from '@jest/globals'
import { enRates } from '../../copy/enRates.ts'
import { chooseWords } from '../../copy/words.ts'
import type { CurvePoint } from './curvePoints.ts'
import { describePoint } from './describePoint.ts'

const words = chooseWords(['en-GB'])
const now = 1_795_255_000
const year = 31_536_000
const token = { address: `0x${'11'.repeat(20)}`, symbol: 'tUSD', decimals: 0 } as const
/** A point of 1,000 for one year, and a pool with a floating rate of about 5 %. */
const pool = { loanToken: token, floating: { ratePerSec: 1_585_489_600n, apr: 5, apy: 5.1 } }
const point: CurvePoint = {
  kind: 'firm',
  hash: `0x${'01'.repeat(32)}`,
  seriesKey: `0x${'02'.repeat(32)}`,
  expiry: now + year,
  effectiveApy: 6.38,
  cost: 60n,
  median: null,
  notional: 1_000n,
}
const say = (change: object) => describePoint({ ...point, ...change }, { pool, now }, enRates.curve, words.formats)

test('default: a firm quote', () => {
  expect(say({})).toBe('21\u00a0Nov\u00a02027 · 6.38% APY · costs 60 tUSD, 12 more than variable')
})

test('behavior: an estimate says that it is about', () => {
  expect(say({ kind: 'estimate', effectiveApy: 4.17, cost: 40n })).toBe(
    '21\u00a0Nov\u00a02027 · about 4.2% APY · costs about 40 tUSD, 9 less than variable',
  )
})

test('behavior: the same as variable, and the median of the known quotes', () => {
  expect(say({ cost: 49n, median: 6.94 })).toMatch(/, the same as variable · median 6\.9%$/)
})
