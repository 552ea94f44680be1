import { describe, expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import type { KnownOffer } from '../../../fixing/offers/knownOffers.ts'
import { findPublished } from './findPublished.ts'

const offer = (cost: bigint, part: Partial<KnownOffer> = {}): KnownOffer => {
  return { firm: true, hash: numberToHex(cost), expiry: 2_000, notional: 100n, vrtAmount: cost, at: 1_000, ...part }
}

describe('findPublished', () => {
  test('default: the cheapest published quote for exactly this amount', () => {
    const offers = [offer(7n), offer(5n), offer(6n), offer(1n, { firm: false }), offer(1n, { notional: 99n })]
    expect(findPublished(offers, { notional: 100n, most: 10n })).toEqual(offer(5n))
  })

  test('behavior: up to the given cost, inclusive', () => {
    expect(findPublished([offer(5n)], { notional: 100n, most: 5n })).toEqual(offer(5n))
    expect(findPublished([offer(5n)], { notional: 100n, most: 4n })).toBeUndefined()
  })
})
