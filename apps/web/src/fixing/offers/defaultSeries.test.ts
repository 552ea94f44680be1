import type { Series } from '@firmquote/react'
import { expect, test } from '@jest/globals'
import { defaultSeries } from './defaultSeries.ts'

const now = 1_800_000_000
const after = (days: number) => ({ expiry: now + days * 86_400 }) as Series

test('default: the one that ends nearest to three months from now, in any order', () => {
  expect(defaultSeries([after(182), after(30), after(90), after(365)], now)).toEqual(after(90))
})

test('behavior: of two equally near the shorter', () => {
  expect(defaultSeries([after(92), after(90)], now)).toEqual(after(90))
})

test('behavior: one that fits before one that is nearer, and any before none', () => {
  const series = [after(30), after(90)]
  expect(defaultSeries(series, now, ({ expiry }) => expiry < now + 86_400 * 60)).toEqual(after(30))
  expect(defaultSeries(series, now, () => false)).toEqual(after(90))
})

test('behavior: the one that ends nearest to another preferred term', () => {
  expect(defaultSeries([after(30), after(90), after(182)], now, undefined, 137 * 86_400)).toEqual(after(182))
})

test('behavior: none that has ended', () => {
  expect(defaultSeries([{ expiry: now } as Series], now)).toBeUndefined()
})
