import { secondsPerYear } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { fillMedian, type PricedFill } from './fillMedian.ts'

const openedAt = 1_900_000_000
const expiry = openedAt + secondsPerYear

/** A fill at this APR, in whole percent, for the year until the expiry. */
const fill = (apr: bigint, notional: bigint): PricedFill => ({ notional, cost: (notional * apr) / 100n, openedAt })

/** The same fill as the price of a median. */
const priceOf = ({ notional, cost, openedAt: at }: PricedFill) => ({ notional, vrtAmount: cost, at })

describe('fillMedian', () => {
  test('default: the median by notional, with its price, the sum and the count', () => {
    const fills = [fill(9n, 300n), fill(4n, 100n), fill(6n, 500n)]
    const price = { notional: 500n, vrtAmount: 30n, at: openedAt }
    expect(fillMedian(fills, expiry)).toEqual({ apr: 6, price, notional: 900n, count: 3 })
    expect(fillMedian([], expiry)).toBeNull()
    const one = fill(5n, 100n)
    expect(fillMedian([one], expiry)).toEqual({ apr: 5, price: priceOf(one), notional: 100n, count: 1 })
  })

  test('behavior: among fills with the median APR, the price is the same in every order', () => {
    const half = openedAt + secondsPerYear / 2
    const late = { notional: 100n, cost: 3n, openedAt: half }
    const fills = [late, fill(6n, 100n), fill(6n, 200n)]
    const orders = [fills, fills.toReversed(), [...fills.slice(1), late]]
    for (const order of orders) expect(fillMedian(order, expiry)?.price).toEqual(priceOf(fill(6n, 200n)))
  })

  // The total is 1,000. The boundary is exactly half of it.
  test.each([
    [499n, 6],
    [500n, 0],
    [501n, 0],
  ])('behavior: %s of 1,000 at 0 %% gives %s %%', (atZero, apr) => {
    const [low, high] = [fill(0n, atZero * 100n), fill(6n, (1_000n - atZero) * 100n)]
    expect(fillMedian([low, high], expiry)?.apr).toBe(apr)
    expect(fillMedian([high, low], expiry)?.apr).toBe(apr)
  })

  test('behavior: many small fills weigh no more than their notional', () => {
    const dust = Array.from({ length: 1_000 }, () => fill(0n, 100n))
    expect(fillMedian([...dust, fill(6n, 100_100n)], expiry)).toMatchObject({
      apr: 6,
      notional: 200_100n,
      count: 1_001,
    })
    expect(fillMedian([...dust, fill(6n, 99_900n)], expiry)?.apr).toBe(0)
  })

  test('behavior: an odd total, the largest amounts, and APRs that would sort differently as text', () => {
    expect(fillMedian([fill(10n, 100n), fill(9n, 101n)], expiry)?.apr).toBeCloseTo(8.91, 2)
    expect(fillMedian([fill(10n, 101n), fill(9n, 100n)], expiry)?.apr).toBeCloseTo(9.9, 2)
    const most = 2n ** 255n
    expect(fillMedian([fill(2n, most), fill(1n, most - 100n)], expiry)?.apr).toBeCloseTo(2, 9)
  })

  test('behavior: each APR is for the time from the opening to the expiry', () => {
    const [early, late] = [openedAt, openedAt + secondsPerYear / 2]
    const fills = [early, late].map((at) => ({ notional: 1_000n, cost: 50n, openedAt: at }))
    expect(fillMedian(fills, expiry)?.apr).toBe(5)
    expect(fillMedian(fills.slice(1), expiry)?.apr).toBe(10)
  })
})
