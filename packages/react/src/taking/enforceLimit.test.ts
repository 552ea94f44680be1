import { InvalidInputError } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { enforceLimit, shareOfLimit } from './enforceLimit.ts'

const seriesKey = `0x${'33'.repeat(32)}` as const
const request = { seriesKey, notional: 1_000_000n }
const whole = { size: 1_000_000n, part: false, at: 1_800_000_000n }
const half = { ...whole, size: 500_001n }

test('default: shareOfLimit is rounded down', () => {
  expect(shareOfLimit(112_500n, 1_000_000n, request)).toBe(112_500n)
  expect(shareOfLimit(112_500n, 333_333n, request)).toBe(37_499n)
})

describe('enforceLimit', () => {
  test('default: the limit becomes part of the request', () => {
    expect(enforceLimit(request, { maxVrtAmount: 80n }, whole)).toEqual({ ...request, maxVrtAmount: 80n })
  })

  test('default: a rate applies to the remaining term', () => {
    const year = { ...request, expiry: 1_800_000_000 + 31_536_000 }
    expect(enforceLimit(year, { maxApr: 8 }, whole).maxVrtAmount).toBe(80_000n)
    expect(enforceLimit(year, { maxApr: 8 }, { ...whole, at: whole.at + 15_768_000n }).maxVrtAmount).toBe(40_000n)
  })

  test('behavior: the lower of the limit and the request’s maximum applies', () => {
    expect(enforceLimit({ ...request, maxVrtAmount: 79n }, { maxVrtAmount: 80n }, whole).maxVrtAmount).toBe(79n)
    expect(enforceLimit({ ...request, maxVrtAmount: 81n }, { maxVrtAmount: 80n }, whole).maxVrtAmount).toBe(80n)
  })

  test('behavior: a smaller quote gets its share of the limit, and is accepted only with part', () => {
    const limit = { maxVrtAmount: 101n }
    expect(enforceLimit(request, limit, half)).toEqual({ ...request, maxVrtAmount: 50n })
    expect(enforceLimit(request, limit, { ...half, part: true })).toEqual({
      ...request,
      notional: 500_001n,
      maxVrtAmount: 50n,
    })
  })

  test('behavior: a larger quote never fits', () => {
    expect(enforceLimit(request, { maxVrtAmount: 80n }, { ...whole, size: 1_000_001n, part: true }).notional).toBe(
      1_000_000n,
    )
  })

  test.each([
    ['no limit', request, {} as { maxApr: number }],
    ['a rate without an expiry', request, { maxApr: 8 }],
    ['nothing asked for', { ...request, notional: 0n }, { maxVrtAmount: 80n }],
  ])('error: %s', (_what, asked, limit) => {
    expect(() => enforceLimit(asked, limit, whole)).toThrow(InvalidInputError)
  })
})
