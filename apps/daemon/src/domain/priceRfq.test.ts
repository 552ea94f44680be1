import { aprToRatePerSec, quoteApr, secondsPerYear } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { examplePolicy } from '../../test/examplePolicy.ts'
import { exampleNow, exampleRfq } from '../../test/exampleRfq.ts'
import { type Policy, wad } from './policy.ts'
import { type PricingInput, priceRfq } from './priceRfq.ts'

const bp = 10n ** 14n
const token = 10n ** 18n
const unlimited = 2n ** 255n

type Changes = Omit<Partial<PricingInput>, 'rfq' | 'policy'> & {
  rfq?: Partial<PricingInput['rfq']>
  policy?: Partial<Policy>
}

function price({ rfq, policy, ...changes }: Changes = {}) {
  return priceRfq({
    rfq: { ...exampleRfq, ...rfq },
    floatingRatePerSec: aprToRatePerSec(5),
    decimals: 6,
    policy: { ...examplePolicy, ...policy },
    now: exampleNow,
    affordable: unlimited,
    nonce: 7n,
    ...changes,
  })
}

function aprOf(answer: ReturnType<typeof price>, { notional, expiry } = exampleRfq): number {
  if (answer.kind === 'decline') throw new TypeError(answer.code)
  return quoteApr({ notional, vrtAmount: answer.vrtAmount }, expiry, exampleNow)
}

describe('priceRfq', () => {
  test('default: floating, term and tick', () => {
    const answer = price()
    // 5 % floating (slightly less in WAD per second) plus 35 bps halfway between 30 and 90 days, rounded up to the next
    // 5 bps.
    expect(answer).toEqual({
      kind: 'quote',
      notional: 1_000_000_000n,
      vrtAmount: (1_000_000_000n * 535n * 60n + 10_000n * 365n - 1n) / (10_000n * 365n),
      nonce: 7n,
      deadline: BigInt(exampleNow + 15 + 60),
    })
    expect(aprOf(answer)).toBeCloseTo(5.35, 6)
  })

  test.each([
    [1, 20n],
    [30, 20n],
    [31, 20.5],
    [89, 49.5],
    [90, 50n],
    [900, 50n],
  ])('behavior: the term spread at %d days is %d bps', (days, spread) => {
    const expiry = exampleNow + days * 86_400
    const answer = price({
      floatingRatePerSec: 0n,
      rfq: { expiry, notional: 10n ** 16n },
      decimals: 14,
      policy: { floor: 0n, tick: 1n },
    })
    expect(aprOf(answer, { ...exampleRfq, notional: 10n ** 16n, expiry })).toBeCloseTo(Number(spread) / 100, 9)
  })

  test('behavior: the size spread begins at its step exactly, whatever the decimals', () => {
    for (const decimals of [0, 6, 18, 24]) {
      const step = 100_000n * 10n ** BigInt(decimals)
      const below = price({ decimals, rfq: { notional: step - 1n }, policy: { tick: 1n } })
      const at = price({ decimals, rfq: { notional: step }, policy: { tick: 1n } })
      if (below.kind !== 'quote' || at.kind !== 'quote') throw new TypeError('declined')
      const perUnit = (vrt: bigint, notional: bigint) => (vrt * wad) / notional
      const difference = perUnit(at.vrtAmount, at.notional) - perUnit(below.vrtAmount, below.notional)
      const expected = (10n * bp * 60n) / 365n
      const tolerance = wad / step + 2n
      expect(difference).toBeGreaterThanOrEqual(expected - tolerance)
      expect(difference).toBeLessThanOrEqual(expected + tolerance)
    }
  })

  test('behavior: raises the rate to the floor, also with negative spreads', () => {
    const policy = { termSpread: [{ days: 0, apr: -300n * bp }], floor: 123n * bp, tick: bp }
    expect(aprOf(price({ floatingRatePerSec: aprToRatePerSec(3.5), policy }))).toBeCloseTo(1.23, 6)
  })

  test('behavior: a quote does not outlive its series', () => {
    const rfq = { expiry: exampleNow + 30 }
    expect(price({ rfq })).toMatchObject({ kind: 'quote', deadline: BigInt(exampleNow + 29) })
  })

  test.each<[string, Changes]>([
    ['SERIES_EXPIRED', { rfq: { expiry: exampleNow } }],
    ['SERIES_EXPIRED', { rfq: { expiry: exampleNow - 1 } }],
    ['POOL_NOT_ALLOWED', { policy: { pools: [{ poolId: `0x${'44'.repeat(32)}`, series: null }] } }],
    ['SERIES_NOT_ALLOWED', { policy: { pools: [{ poolId: exampleRfq.poolId, series: [] }] } }],
    ['NOTIONAL_TOO_SMALL', { rfq: { notional: 99_999_999n } }],
    ['NOTIONAL_TOO_LARGE', { rfq: { notional: 1_000_000_000_001n } }],
    ['NOTIONAL_TOO_LARGE', { rfq: { notional: 2_000_000_000_000n, minNotional: 1_000_000_000_001n } }],
    ['NOT_AFFORDABLE', { affordable: 999_999_999n }],
    ['NOT_AFFORDABLE', { affordable: 299_999_999n, rfq: { minNotional: 300_000_000n } }],
    // The borrower would accept this size, but it is below the policy's minimum.
    ['NOT_AFFORDABLE', { affordable: 99_999_999n, rfq: { minNotional: 1n } }],
    ['RATE_TOO_LOW', { policy: { bounds: { min: 600n * bp, max: 700n * bp } } }],
    ['RATE_TOO_HIGH', { policy: { bounds: { min: 0n, max: 534n * bp } } }],
    ['VRT_AMOUNT_TOO_LARGE', { rfq: { maxVrtAmount: 8_794_520n } }],
    ['TOO_LATE', { rfq: { expiry: exampleNow + 16 } }],
    ['TOO_LATE', { rfq: { expiry: exampleNow + 76, minDeadline: BigInt(exampleNow + 76) } }],
    ['DEADLINE_TOO_FAR', { rfq: { minDeadline: BigInt(exampleNow + 661) } }],
    ['DEADLINE_TOO_FAR', { rfq: { closesAt: (exampleNow + 601) * 1_000 } }],
  ])('error: %s', (code, changes) => {
    expect(price(changes)).toMatchObject({ kind: 'decline', code, reason: expect.stringMatching(/\.$/) })
  })

  test('behavior: quotes a part if funds or policy limit it and the borrower accepts it', () => {
    const rfq = { notional: 2_000_000_000_000n, minNotional: 200_000_000_000n }
    const notionalOf = (changes: Changes) => {
      const answer = price({ ...changes, rfq })
      return answer.kind === 'quote' ? answer.notional : answer.code
    }
    expect(notionalOf({})).toBe(1_000_000_000_000n)
    expect(notionalOf({ affordable: 700_000_000_000n })).toBe(700_000_000_000n)
    expect(notionalOf({ affordable: 200_000_000_000n })).toBe(200_000_000_000n)
    expect(notionalOf({ affordable: 199_999_999_999n })).toBe('NOT_AFFORDABLE')
    // The borrower's limit applies to the whole notional.
    const whole = price({ rfq: { notional: 1_000_000_000n } })
    const maxVrtAmount = whole.kind === 'quote' ? whole.vrtAmount : 0n
    // Prices are rounded up, so the price for half the notional may be one unit more than half the price.
    const half = { notional: 1_000_000_000n, minNotional: 1n, maxVrtAmount: maxVrtAmount + 1n }
    expect(price({ rfq: half, affordable: 500_000_000n })).toMatchObject({ notional: 500_000_000n })
    const less = { ...half, maxVrtAmount: maxVrtAmount - 100n }
    expect(price({ rfq: less, affordable: 500_000_000n })).toMatchObject({ code: 'VRT_AMOUNT_TOO_LARGE' })
  })

  test('behavior: the deadline is at least the minDeadline of the RFQ', () => {
    const at = (seconds: number) => ({ rfq: { minDeadline: BigInt(exampleNow + seconds) } })
    expect(price(at(75))).toMatchObject({ deadline: BigInt(exampleNow + 75) })
    expect(price(at(76))).toMatchObject({ deadline: BigInt(exampleNow + 76) })
    expect(price(at(660))).toMatchObject({ deadline: BigInt(exampleNow + 660) })
    expect(price({ policy: { lifetimeSeconds: 150 }, ...at(75) })).toMatchObject({ deadline: BigInt(exampleNow + 165) })
    // A series may expire before the policy's deadline if the RFQ does not require a later deadline.
    expect(price({ rfq: { expiry: exampleNow + 76, minDeadline: BigInt(exampleNow + 75) } })).toMatchObject({
      deadline: BigInt(exampleNow + 75),
    })
  })

  test('behavior: limits are inclusive', () => {
    expect(price({ rfq: { notional: 100_000_000n } }).kind).toBe('quote')
    expect(price({ rfq: { notional: 1_000_000_000_000n } }).kind).toBe('quote')
    expect(price({ affordable: 1_000_000_000n }).kind).toBe('quote')
    expect(price({ rfq: { maxVrtAmount: 8_794_521n } }).kind).toBe('quote')
    expect(price({ rfq: { expiry: exampleNow + 17 } }).kind).toBe('quote')
    const pools = [{ poolId: exampleRfq.poolId, series: [exampleRfq.seriesKey] }]
    expect(price({ policy: { pools } }).kind).toBe('quote')
    expect(price({ policy: { pools: [{ poolId: exampleRfq.poolId, series: null }] } }).kind).toBe('quote')
    const flat = { termSpread: [{ days: 0, apr: 500n * bp }], tick: 1n }
    const withBounds = (min: bigint, max: bigint) =>
      price({ floatingRatePerSec: 0n, policy: { ...flat, bounds: { min, max } } })
    expect(withBounds(500n * bp, 500n * bp)).toMatchObject({ kind: 'quote' })
    expect(withBounds(500n * bp + 1n, 600n * bp)).toMatchObject({ code: 'RATE_TOO_LOW' })
    expect(withBounds(0n, 500n * bp - 1n)).toMatchObject({ code: 'RATE_TOO_HIGH' })
  })

  test('behavior: a falling and a negative term spread are exact, and rounded up', () => {
    // The notional is so large that every unit of the rate changes the price.
    const notional = 10n ** 45n
    const aprAt = (seconds: number, points: [number, bigint][]) => {
      const policy = {
        termSpread: points.map(([days, apr]) => ({ days, apr })),
        sizeSpread: [],
        notional: { min: 0n, max: unlimited },
        tick: 1n,
        floor: 0n,
      }
      const rfq = { notional, expiry: exampleNow + seconds }
      const answer = price({ floatingRatePerSec: 10_000n, decimals: 18, rfq, policy })
      if (answer.kind === 'decline') throw new TypeError(answer.code)
      return (answer.vrtAmount * wad * BigInt(secondsPerYear)) / (notional * BigInt(seconds))
    }
    const base = 10_000n * BigInt(secondsPerYear)
    const falling: [number, bigint][] = [
      [30, 50n * bp],
      [90, 20n * bp],
    ]
    expect(aprAt(60 * 86_400, falling)).toBe(base + 35n * bp)
    const steps: [number, bigint][] = [
      [0, 0n],
      [1, -86_400n / 2n],
    ]
    // The price falls by half a unit for each elapsed second of the first day.
    expect([2, 3, 4].map((seconds) => aprAt(seconds * 10 + 20, steps) - base)).toEqual([-20n, -25n, -30n])
    expect(aprAt(21, steps) - base).toBe(-10n)
    expect(
      aprAt(21, [
        [0, 0n],
        [1, 86_400n / 2n],
      ]) - base,
    ).toBe(11n)
  })

  test('behavior: never below floating plus spreads, never more than a tick and a unit above', () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const amount = fc.bigInt(100n * 10n ** 6n, 10n ** 12n)
    const rate = fc.bigInt(0n, 10n ** 10n)
    fc.assert(
      fc.property(amount, rate, fc.integer({ min: 16, max: 200_000_000 }), (notional, floatingRatePerSec, left) => {
        const flat = { termSpread: [], sizeSpread: [], floor: 0n, bounds: { min: 0n, max: 10n ** 20n } }
        const answer = price({ floatingRatePerSec, rfq: { notional, expiry: exampleNow + left }, policy: flat })
        if (answer.kind === 'decline') return expect(answer.code).toBe('TOO_LATE')
        const year = BigInt(secondsPerYear)
        const [paid, owed] = [answer.vrtAmount * wad * year, notional * floatingRatePerSec * year * BigInt(left)]
        expect(paid).toBeGreaterThanOrEqual(owed)
        expect(paid - owed).toBeLessThan(notional * BigInt(left) * examplePolicy.tick + wad * year)
      }),
      { seed },
    )
  })

  test('behavior: pure: does not change its input and repeats its answer', () => {
    const rfq = Object.freeze({ ...exampleRfq })
    expect(price({ rfq })).toEqual(price({ rfq }))
    expect(token).toBe(wad)
  })
})
