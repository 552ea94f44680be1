import { describe, expect, test } from '@jest/globals'
import { hex, now, soon } from '../../../test/fixing/exampleMarket.ts'
import type { KnownOffer } from './knownOffers.ts'
import { firmNow, type RateAtSize, rateAtSize } from './rateAtSize.ts'

/** The offer costs 30,000 for 1,000,000 over half a year, which is 6 % a year. */
function offer(part: Partial<KnownOffer> = {}): KnownOffer {
  return {
    firm: true,
    hash: hex('01'),
    expiry: soon.expiry,
    notional: 1_000_000n,
    vrtAmount: 30_000n,
    at: now,
    ...part,
  }
}

const at = (notional: bigint, ...offers: KnownOffer[]): RateAtSize | null => rateAtSize(offers, { notional, now })
const basisOf = (rate: RateAtSize | null) => (rate?.kind === 'estimate' ? rate.basis : rate?.kind)

describe('rateAtSize', () => {
  test('default: firm at exactly the size of an offer, with its own cost', () => {
    expect(at(1_000_000n, offer())).toEqual({
      kind: 'firm',
      hash: hex('01'),
      notional: 1_000_000n,
      cost: 30_000n,
      effectiveApy: 6.28122,
    })
  })

  test('behavior: firm at exactly the sum of several offers, with their total cost', () => {
    const small = offer({ notional: 200_000n, vrtAmount: 5_000n, hash: hex('02') })
    expect(at(1_200_000n, offer(), small)).toMatchObject({
      ...{ kind: 'firm', hash: hex('02'), together: [hex('02'), hex('01')], notional: 1_200_000n, cost: 35_000n },
    })
    expect(at(1_200_001n, offer(), small)?.kind).toBe('estimate')
  })

  test('behavior: a unit more or less is an estimate, rounded up, which says what it follows from', () => {
    const basis = { from: 'offer', notional: 1_000_000n, at: now }
    expect(at(1_000_001n, offer())).toMatchObject({ kind: 'estimate', notional: 1_000_001n, cost: 30_001n, basis })
    expect(at(999_999n, offer())).toMatchObject({ kind: 'estimate', notional: 999_999n, cost: 30_000n, basis })
  })

  test('behavior: what was seen in an auction is never firm, not even at its size', () => {
    const seen = offer({ firm: false, at: now - 60 })
    expect(basisOf(at(1_000_000n, seen))).toEqual({ from: 'auction', notional: 1_000_000n, at: now - 60 })
  })

  test('behavior: of firm ones at the size the cheapest; a cheaper estimate does not replace it', () => {
    const dear = offer({ vrtAmount: 31_000n, hash: hex('02') })
    const cheapest = offer({ vrtAmount: 29_999n, hash: hex('03') })
    const other = offer({ notional: 999_999n, vrtAmount: 20_000n, hash: hex('04') })
    expect(at(1_000_000n, dear, cheapest, offer(), other)).toMatchObject({ kind: 'firm', hash: hex('03') })
  })

  test('behavior: an estimate is for the time that is left', () => {
    // A quarter of the term has passed. The earlier offer's rate applies to the remaining time.
    const before = offer({ firm: false, at: now - 15_768_000, vrtAmount: 60_000n })
    expect(at(2_000_000n, before)).toMatchObject({ cost: 60_000n, effectiveApy: 6.28122 })
  })

  test('behavior: about the size is from half of it to twice it; the lowest of these counts', () => {
    const like = offer({ notional: 1_000_000n, vrtAmount: 40_000n })
    const small = (notional: bigint) => offer({ notional, vrtAmount: notional / 100n })
    expect(basisOf(at(999_999n, like, small(499_999n)))).toMatchObject({ notional: 1_000_000n })
    expect(basisOf(at(999_999n, like, small(500_000n)))).toMatchObject({ notional: 500_000n })
    expect(basisOf(at(999_999n, like, small(1_999_998n)))).toMatchObject({ notional: 1_999_998n })
    expect(basisOf(at(999_999n, like, small(1_999_999n)))).toMatchObject({ notional: 1_000_000n })
  })

  test('behavior: where none is about the size, the nearest counts, by how many times it is', () => {
    const tenth = offer({ notional: 100_000n, vrtAmount: 9_000n })
    const manifold = (notional: bigint) => offer({ notional, vrtAmount: notional / 100n })
    expect(basisOf(at(1_000_000n, tenth, manifold(9_999_999n)))).toMatchObject({ notional: 9_999_999n })
    expect(basisOf(at(1_000_000n, tenth, manifold(10_000_001n)))).toMatchObject({ notional: 100_000n })
    // Among offers equally close in size, the lower rate wins.
    expect(basisOf(at(1_000_000n, tenth, manifold(10_000_000n)))).toMatchObject({ notional: 10_000_000n })
  })

  test('behavior: the last hour comes before everything older; else the last auction alone', () => {
    const seen = (age: number, vrtAmount: bigint) =>
      offer({ firm: false, notional: 900_000n, at: now - age, vrtAmount })
    expect(basisOf(at(1_000_000n, seen(3_600, 50_000n), seen(3_601, 1_000n)))).toMatchObject({ at: now - 3_600 })
    expect(basisOf(at(1_000_000n, seen(3_602, 1_000n), seen(3_601, 50_000n)))).toMatchObject({ at: now - 3_601 })
    // A firm offer's time is now.
    const firm = offer({ notional: 800_000n, vrtAmount: 90_000n })
    expect(basisOf(at(1_000_000n, seen(3_601, 1_000n), firm))).toMatchObject({ from: 'offer' })
  })

  test('behavior: firm now is the most that published quotes fix, if it is a twentieth of the size', () => {
    const now_ = (notional: bigint, limit = notional) => firmNow([offer()], { notional, limit, now })
    expect(now_(20_000_000n)).toMatchObject({ kind: 'firm', notional: 1_000_000n, cost: 30_000n })
    expect(now_(20_000_001n)).toBeNull()
    expect(now_(2_000_000n, 59_999n)).toBeNull()
  })

  test('behavior: without any offer nothing is known', () => {
    expect(at(1_000_000n)).toBeNull()
  })
})
