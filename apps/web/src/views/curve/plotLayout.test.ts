import { expect, test } from '@jest/globals'
import { clearBox, pickTicks, placeFacts, rateDomain, reach } from './plotLayout.ts'

test('default: the floating rate is always on the rate axis', () => {
  const [low, high] = rateDomain([8, 9], 3)
  expect(low).toBeLessThan(3)
  expect(high).toBeGreaterThan(9)
})

test('behavior: what differs little looks like little', () => {
  expect(rateDomain([6, 6.01], 6)).toEqual([expect.closeTo(4.5025), expect.closeTo(7.5075)])
  expect(rateDomain([], 0.1)).toEqual([0, 1])
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

test('default: labels keep their distance, and the last one is always there', () => {
  const ticks = [0, 43, 85, 145, 290].map((x) => ({ x }))
  expect(pickTicks(ticks, 48).map(({ x }) => x)).toEqual([0, 85, 145, 290])
  expect(pickTicks(ticks, 10)).toEqual(ticks)
  expect(pickTicks([], 48)).toEqual([])
})

test('behavior: a point does not reach for what is nearer to another one', () => {
  const point = { x: 100, y: 100 }
  expect(reach(point, [point])).toBe(22)
  expect(reach(point, [point, { x: 100, y: 130 }])).toBe(15)
  expect(reach(point, [point, { x: 100, y: 102 }])).toBe(8)
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

test.each([
  { plot: { width: 1000, height: 340 }, x: 100 },
  { plot: { width: 1000, height: 340 }, x: 950 },
  { plot: { width: 330, height: 280 }, x: 5 },
  { plot: { width: 330, height: 280 }, x: 165 },
  { plot: { width: 330, height: 280 }, x: 325 },
])('behavior: facts never lie on their point, nor beside the plot %#', ({ plot, x }) => {
  const facts = { width: 270, height: 230 }
  for (const y of [0, 140, plot.height - 10]) {
    const spot = placeFacts({ x, y }, facts, plot)
    const covers = x >= spot.x && x <= spot.x + facts.width && y >= spot.y && y <= spot.y + facts.height
    expect(covers).toBe(false)
    expect(spot.x).toBeGreaterThanOrEqual(0)
    expect(spot.x + facts.width).toBeLessThanOrEqual(plot.width)
  }
})

test('behavior: facts stand beside their point, level with it, or below the plot in its middle', () => {
  const facts = { width: 270, height: 230 }
  const wide = { width: 1000, height: 340 }
  expect(placeFacts({ x: 712, y: 170 }, facts, wide)).toEqual({ x: 730, y: 55 })
  expect(placeFacts({ x: 713, y: 170 }, facts, wide)).toEqual({ x: 425, y: 55 })
  expect(placeFacts({ x: 288, y: 170 }, facts, { width: 330, height: 340 })).toEqual({ x: 0, y: 55 })
  expect(placeFacts({ x: 165, y: 170 }, facts, { width: 330, height: 340 })).toEqual({ x: 30, y: 340 })
})
