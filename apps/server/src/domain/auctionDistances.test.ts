import { secondsPerYear } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { numberToHex } from 'viem'
import { opened, record, submitted } from '../../test/auctionEvents.ts'
import { auctionDistances, drawShift } from './auctionDistances.ts'
import type { AcceptedQuote, AuctionRecord } from './auctionRecord.ts'

// The term is half a year, so an amount is half of its simple APR.
const closedAt = (record.rfq.expiry - secondsPerYear / 2) * 1_000
const close = { closedAt, rejectedCount: 0, interrupted: false }
const notional = 10n ** 15n

/** Creates the row for a quote whose rate is in thousandths of a basis point of simple APR. */
function rowAt(number: number, rate: number, change: Partial<AcceptedQuote> = {}): AcceptedQuote {
  const terms = { notional, vrtAmount: (BigInt(rate) * notional) / 20_000_000n }
  const { hash, quote, arrival } = submitted(number, numberToHex(number, { size: 20 }), terms)
  return { hash, quote, apr: 1, receivedAt: 1, arrival, seq: number, ...change }
}

const auctionOf = (quotes: readonly AcceptedQuote[]): AuctionRecord => ({ ...opened.record, quotes, close })
const distancesOf = (rates: readonly number[], shift: bigint) =>
  auctionDistances(auctionOf(rates.map((rate, index) => rowAt(index + 1, rate))), shift).map(({ distance }) => distance)

describe('auctionDistances', () => {
  test('default: the bounds are at 5, 25 and 100 basis points, each included', () => {
    const best = 500_000
    const rates = [0, 0, 5_000, 5_001, 25_000, 25_001, 100_000, 100_001].map((gap) => best + gap)
    expect(distancesOf(rates, 0n)).toEqual([
      ...['within_5', 'within_5', 'within_25', 'within_25', 'within_100', 'within_100', 'beyond'],
    ])
  })

  test('behavior: a shift moves all of them alike', () => {
    const best = 500_000
    for (const [shift, moved] of [
      [-2_500_000n, -2_500],
      [5_000_000n, 5_000],
    ] as const) {
      const rates = [0, 5_000, 5_001, 25_000, 25_001, 100_000, 100_001].map((gap, index) =>
        index === 0 ? best : best + gap + moved,
      )
      expect(distancesOf(rates, shift)).toEqual([
        ...['within_5', 'within_25', 'within_25', 'within_100', 'within_100', 'beyond'],
      ])
    }
  })

  test('behavior: it lists the losing quotes with maker and size', () => {
    const [best, other] = [rowAt(1, 500_000), rowAt(2, 520_000)]
    expect(auctionDistances(auctionOf([other, best]), 0n)).toEqual([
      { maker: other.quote.maker, hash: other.hash, notional, distance: 'within_25' },
    ])
  })

  test('behavior: sizes do not matter, nor does the rate of a quote that cannot be the best', () => {
    const best = rowAt(1, 500_000)
    const small = { ...rowAt(2, 500_000) }
    small.quote = { ...small.quote, notional: notional / 10n, vrtAmount: (504_000n * notional) / 200_000_000n }
    const free = rowAt(3, 0, { unproven: true })
    const distances = auctionDistances(auctionOf([best, small, free]), 0n)
    expect(distances.map(({ hash, distance }) => [hash, distance])).toEqual([
      [small.hash, 'within_5'],
      [free.hash, 'within_5'],
    ])
    expect(auctionDistances(auctionOf([free, rowAt(4, 20_000_000)]), 0n)).toEqual([])
  })

  test('behavior: empty for an open auction', () => {
    expect(auctionDistances({ ...auctionOf([rowAt(1, 1), rowAt(2, 2)]), close: null }, 0n)).toEqual([])
  })
})

test('drawShift: from 2.5 basis points down to 5 up', () => {
  expect(drawShift(new Uint8Array(4))).toBe(-2_500_000n)
  expect(drawShift(new Uint8Array(4).fill(255))).toBe(4_999_999n)
  expect(drawShift(Uint8Array.of(128, 0, 0, 0))).toBe(1_250_000n)
})

// The attacker has 200 funded keys and quotes with all of them in one auction. The quotes are spaced one basis point
// apart, or a hundredth of one around a bound's expected position. The attacker knows the rules but has to guess the
// shift.
describe('an attacker with 200 keys', () => {
  const promised = 7_500
  const seed = Math.floor(Math.random() * 2 ** 31)
  const shiftOf = (drawn: number) => drawShift(new Uint8Array(new Uint32Array([drawn]).buffer).reverse())

  /**
   * Returns the candidates for the best rate, in thousandths of a basis point, that are consistent with the messages
   * sent to the keys.
   */
  function bracket(keys: readonly number[], told: readonly string[], among: readonly number[]): number[] {
    const names = ['within_5', 'within_25', 'within_100', 'beyond']
    const bases = [5_000, 25_000, 100_000]
    // Each bound is between the last key inside it and the first one outside it. Both keys limit the sum of rate and
    // shift.
    let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    keys.forEach((key, index) => {
      const bucket = names.indexOf(told[index] ?? '')
      const [inside, behind] = [bases[bucket], bases[bucket - 1]]
      if (inside !== undefined) least = Math.max(least, key - inside)
      if (behind !== undefined) most = Math.min(most, key - behind)
    })
    // The shift may be anything from -2.5 to 5 basis points.
    return among.filter((rate) => rate >= least - 5_000 && rate <= most + 2_500)
  }

  test.each([
    ['a basis point', 1_000],
    ['a hundredth of one', 10],
  ])('behavior: in steps of %s the best rate stays within 7.5 basis points at the least', (_name, step) => {
    let narrowest = Number.POSITIVE_INFINITY
    let sharp = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 400_000, max: 600_000 }),
        fc.nat(2 ** 32 - 1),
        fc.constantFrom(5_000, 25_000, 100_000),
        fc.integer({ min: -1_400, max: 1_400 }),
        (best, drawn, base, miss) => {
          // Coarse steps span all bounds. Fine steps span two basis points around a guess at one bound; most guesses
          // are close enough. If a key's rate were better than the best rate, it would itself be the best.
          const guess = base + Number(shiftOf(drawn) / 1_000n) + miss
          const start = best + (step === 1_000 ? 1 + Math.abs(miss) : guess - 1_000)
          const keys = Array.from({ length: 200 }, (_, index) => start + index * step)
          const told = distancesOf([best, ...keys], shiftOf(drawn))
          const possible = Array.from({ length: 3_000 }, (_, index) => best - 15_000 + index * 10)
          const left = bracket(keys, told, possible)
          expect(left.some((rate) => Math.abs(rate - best) <= 10)).toBe(true)
          const width = (left.at(-1) ?? 0) - (left[0] ?? 0)
          narrowest = Math.min(narrowest, width)
          if (width <= promised + 2 * step + 20) sharp += 1
        },
      ),
      { numRuns: 100, seed },
    )
    // The attacker narrows down the best rate as far as the rules allow, but no further.
    expect({ seed, isSharp: sharp > 10 }).toEqual({ seed, isSharp: true })
    expect(narrowest).toBeGreaterThanOrEqual(promised - 20)
  })
})
