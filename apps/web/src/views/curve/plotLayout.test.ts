import { expect, test } from '@jest/globals'
import { bandPath, clearBox, nearest, pickTicks, rateDomain } from './plotLayout.ts'

test('default: the floating rate is always on the rate axis', () => {
  const [low, high] = rateDomain([8, 9], 3)
  expect(low).toBeLessThan(3)
  expect(high).toBeGreaterThan(9)
})

test('behavior: what differs little looks like little', () => {
  expect(rateDomain([6, 6.01], 6)).toEqual([expect.closeTo(5.505), expect.closeTo(6.505)])
  expect(rateDomain([], 0.1)).toEqual([0, 1])
})

test('behavior: the axis is fitted to the rates, not drawn from zero', () => {
  expect(rateDomain([6, 8], 7)).toEqual([expect.closeTo(5.6), expect.closeTo(8.4)])
})

test('behavior: no rate is below zero', () => {
  const [low, high] = rateDomain([0.2, 7], 5)
  expect(low).toBe(0)
  expect(high).toBeGreaterThan(7)
})

test.each([[[6, 6.5, 7, 900]], [[900]], [[5, 900, 900]]])(
  'behavior: one absurd rate does not flatten the others %#',
  (aprs) => {
    const [, high] = rateDomain(aprs, 6.25)
    expect(high).toBeLessThan(30)
  },
)

test('behavior: a low floating rate hides no fixed one', () => {
  const [low, high] = rateDomain([50, 55, 60], 0.5)
  expect(low).toBeLessThanOrEqual(0.5)
  expect(high).toBeGreaterThan(60)
})

test('default: the band lies between the best rate and the median, and is empty where they are the same', () => {
  const spot = (x: number, effectiveApy: number, median: number | null) => ({
    ...{ x, y: 100 - effectiveApy },
    point: { effectiveApy, median },
  })
  const y = (percent: number) => 100 - percent
  expect(bandPath([spot(0, 6, 8), spot(50, 7, null)], y)).toBe('M0.0 94.0L50.0 93.0L50.0 93.0L0.0 92.0Z')
  // The best rate of one size may be above the median of all.
  expect(bandPath([spot(0, 6, 5), spot(50, 7, 7)], y)).toBe('')
})

test('default: labels keep their distance, and the last one is always there', () => {
  const ticks = [0, 43, 85, 145, 290].map((x) => ({ x }))
  expect(pickTicks(ticks, 48).map(({ x }) => x)).toEqual([0, 85, 145, 290])
  expect(pickTicks(ticks, 10)).toEqual(ticks)
  expect(pickTicks([], 48)).toEqual([])
})

test('behavior: a pointer means what is nearest to it, wherever that is', () => {
  const places = [0, 40, 100].map((x) => ({ x }))
  expect([-50, 19, 20, 21, 69, 71, 900].map((x) => nearest(places, x)?.x)).toEqual([0, 0, 0, 40, 40, 100, 100])
  expect(nearest([], 5)).toBeNull()
})

test('behavior: a label stands where it covers no point, if there is such a place', () => {
  const [first, second] = [
    { x: 0, y: 0, width: 50, height: 20 },
    { x: 200, y: 0, width: 50, height: 20 },
  ]
  expect(clearBox([first, second], [])).toBe(first)
  expect(clearBox([first, second], [{ x: 25, y: 10 }])).toBe(second)
  expect(clearBox([first], [{ x: 25, y: 10 }])).toBe(first)
})
