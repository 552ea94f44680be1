import { describe, expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import { now, soon } from '../../../test/fixing/exampleMarket.ts'
import { coverSize } from './coverSize.ts'
import type { KnownOffer } from './knownOffers.ts'

const seed = Math.floor(Math.random() * 2 ** 32)

function offer(index: number, notional: bigint, vrtAmount: bigint, firm = true): KnownOffer {
  return { firm, hash: numberToHex(index + 1, { size: 32 }), expiry: soon.expiry, notional, vrtAmount, at: now }
}

const cover = (offers: readonly KnownOffer[], notional: bigint, limit = notional) =>
  coverSize(offers, { notional, limit })
const notionals = (found: ReturnType<typeof cover>) => found?.offers.map((one) => one.notional)

describe('coverSize', () => {
  test('default: two quotes cover their sum, best rate first', () => {
    const [small, large] = [offer(0, 50n, 2n), offer(1, 250n, 5n)]
    expect(cover([small, large], 300n)).toMatchObject({ notional: 300n, cost: 7n })
    expect(notionals(cover([small, large], 300n))).toEqual([250n, 50n])
  })

  test('behavior: never above the size, and the best whole cover below it', () => {
    const offers = [offer(0, 50n, 2n), offer(1, 250n, 5n)]
    expect(cover(offers, 299n)?.notional).toBe(250n)
    expect(cover(offers, 3_000n)?.notional).toBe(300n)
    expect(cover(offers, 49n)).toBeNull()
  })

  test('behavior: no more quotes than are wanted', () => {
    const offers = [1n, 2n, 4n, 8n, 16n].map((notional, index) => offer(index, notional, 0n))
    expect(notionals(cover(offers, 31n))).toHaveLength(4)
    expect(coverSize(offers, { notional: 31n, limit: 31n, most: 2 })?.notional).toBe(24n)
  })

  test('behavior: only published quotes, and only within the limit', () => {
    expect(cover([offer(0, 50n, 2n, false)], 50n)).toBeNull()
    expect(cover([offer(0, 50n, 2n)], 100n, 4n)?.notional).toBe(50n)
    expect(cover([offer(0, 50n, 2n)], 100n, 3n)).toBeNull()
  })

  test(`behavior: as a search of all sets of up to four quotes, seed ${seed}`, () => {
    const random = randomFrom(seed)
    let exact = 0
    let combined = 0
    for (let round = 0; round < 300; round++) {
      const offers = Array.from({ length: 1 + random(12) }, (_, index) => {
        const notional = BigInt(1 + random(30))
        return offer(index, notional, BigInt(random(Number(notional))), random(8) > 0)
      })
      const size = BigInt(1 + random(80))
      const best = bruteForce(offers, size)
      const found = cover(offers, size)
      expect([found?.notional ?? 0n, found?.cost ?? 0n]).toEqual([best.notional, best.cost])
      expect(found?.offers.reduce((sum, { notional }) => sum + notional, 0n) ?? 0n).toBe(best.notional)
      // The order of the quotes does not matter.
      expect(cover(offers.toReversed(), size)).toEqual(found)
      if (found?.notional === size) exact += 1
      if ((found?.offers.length ?? 0) > 1) combined += 1
    }
    expect(exact).toBeGreaterThan(50)
    expect(combined).toBeGreaterThan(100)
  })

  test('behavior: 500 quotes take bounded work', () => {
    const offers = Array.from({ length: 500 }, (_, index) =>
      offer(index, BigInt(1_000 + ((index * 7_919) % 4_001)), 9n),
    )
    const begun = performance.now()
    const found = cover(offers, 15_003n)
    expect(found?.notional).toBeLessThanOrEqual(15_003n)
    expect(found?.offers.length).toBe(4)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})

/** The cheapest of the largest sums of up to four quotes, by trying all sets. */
function bruteForce(offers: readonly KnownOffer[], size: bigint): { notional: bigint; cost: bigint } {
  const firm = offers.filter((one) => one.firm)
  let best = { notional: 0n, cost: 0n }
  const visit = (from: number, taken: number, notional: bigint, cost: bigint) => {
    if (notional > size) return
    if (notional > best.notional || (notional === best.notional && cost < best.cost)) best = { notional, cost }
    if (taken === 4) return
    for (let index = from; index < firm.length; index++) {
      const next = firm[index] as KnownOffer
      visit(index + 1, taken + 1, notional + next.notional, cost + next.vrtAmount)
    }
  }
  visit(0, 0, 0n, 0n)
  return best
}

/** Creates a generator of random integers from zero to below a bound, reproducible from the seed. */
function randomFrom(seed: number): (bound: number) => number {
  let state = BigInt(seed)
  return (bound) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return Number((state >> 33n) % BigInt(bound))
  }
}
