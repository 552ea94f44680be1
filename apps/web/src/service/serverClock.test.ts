import { expect, test } from '@jest/globals'
import { rules } from './serverClock.ts'

const ruling = { sentAt: 1_000, tookMs: 20 }

test('default: the quickest answer sets the clock', () => {
  expect(rules({ sentAt: 1_000, tookMs: 900 }, null)).toBe(true)
  expect(rules({ sentAt: 6_000, tookMs: 20 }, ruling)).toBe(true)
  expect(rules({ sentAt: 6_000, tookMs: 21 }, ruling)).toBe(false)
})

test('behavior: an old answer rules no longer, since the clock of the machine may have been set since', () => {
  expect(rules({ sentAt: 61_000, tookMs: 900 }, ruling)).toBe(false)
  expect(rules({ sentAt: 61_001, tookMs: 900 }, ruling)).toBe(true)
})
