import { describe, expect, test } from '@jest/globals'
import { drawGrowth } from './drawGrowth.ts'
import type { Growth } from './row.ts'

const growth = (name: string, over: string, points: [size: number, median: number][]): Growth => ({
  name,
  over,
  points: points.map(([size, median]) => ({ size, cost: { median, low: median * 0.9, high: median * 1.2 } })),
})
const stored = growth('insert <a> & b', 'stored quotes', [
  [1e3, 40],
  [1e6, 44],
])
const page = growth('page', 'stored quotes', [
  [1e3, 85],
  [1e6, 86],
])
const open = growth('auction', 'open auctions', [
  [1, 0.3],
  [1_000, 0.31],
])

/** Every element that is opened is closed, in order. */
function expectWellFormed(svg: string): void {
  const names: string[] = []
  for (const [, close, name = '', rest = ''] of svg.matchAll(/<(\/?)(\w+)((?:"[^"]*"|[^">])*)>/g)) {
    if (close) expect(names.pop()).toBe(name)
    else if (!rest.endsWith('/')) names.push(name)
  }
  expect(names).toEqual([])
}

describe('drawGrowth', () => {
  test('default: one panel for each thing that grows, with its axes and names', () => {
    const svg = drawGrowth([stored, page, open])
    expectWellFormed(svg)
    expect(svg.match(/<g /g)).toHaveLength(2)
    for (const label of ['stored quotes', 'open auctions', 'cost, µs', '1,000,000', 'page']) {
      expect(svg).toContain(`>${label}</text>`)
    }
    expect(svg.match(/<circle /g)).toHaveLength(6)
  })
  test('behavior: has a background, runs nothing, fetches nothing', () => {
    const svg = drawGrowth([stored])
    expect(svg).toMatch(/<rect [^>]*fill="#ffffff"/)
    expect(svg).not.toMatch(/<script|\son\w+=|href|url\(|<style|<image|NaN|undefined/)
    expect(svg).toContain('insert &lt;a&gt; &amp; b')
  })
  test('behavior: one size and no cost at all still make a picture', () => {
    const svg = drawGrowth([growth('nothing', 'auctions', [[1, 0]])])
    expectWellFormed(svg)
    expect(svg).not.toMatch(/NaN|Infinity/)
  })
})
