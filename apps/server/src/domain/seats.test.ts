import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Address, numberToHex } from 'viem'
import { judgeSeats, type Standing } from './seats.ts'

const maker = (number: number): Address => numberToHex(number, { size: 20 })
const standing = (tokens: Record<string, Record<number, bigint>>, filled: number[] = []): Standing => ({
  funds: new Map(
    Object.entries(tokens).map(([token, amounts]) => [
      token,
      new Map(Object.entries(amounts).map(([number, amount]) => [maker(Number(number)), amount])),
    ]),
  ),
  filled: new Set(filled.map(maker)),
})
const leaving = (makers: number[], known: Standing, seats: number) =>
  judgeSeats(
    makers.map((number) => ({ maker: maker(number), number })),
    known,
    seats,
  ).map(({ number }) => number)

describe('judgeSeats', () => {
  test('default: the maker with the least funds is evicted', () => {
    expect(leaving([1, 2, 3], standing({ a: { 1: 5n, 2: 1n, 3: 2n } }), 2)).toEqual([2])
    expect(leaving([1, 2], standing({}), 2)).toHaveLength(0)
    expect(leaving([1], standing({}), 2)).toHaveLength(0)
  })

  test('behavior: among equals the later connection, even without funds', () => {
    expect(leaving([1, 2, 3], standing({ a: { 1: 5n, 2: 5n, 3: 5n } }), 2)).toEqual([3])
    expect(leaving([1, 2, 3], standing({ a: { 3: 0n } }), 2)).toEqual([3])
  })

  test('behavior: the best rank over the tokens counts, not the amount', () => {
    expect(leaving([1, 2, 3], standing({ a: { 1: 10n ** 30n, 2: 10n ** 29n }, b: { 3: 1n } }), 2)).toEqual([2])
  })

  test('behavior: equal amounts of a token share the lowest of their ranks', () => {
    // Makers 1 and 2 rank second in token a. Maker 3 ranks third in token a and second in token b. Maker 4 ranks first
    // in token b, and maker 5 ranks third.
    const known = standing({ a: { 1: 9n, 2: 9n, 3: 8n, 5: 7n }, b: { 4: 3n, 3: 2n, 5: 1n } })
    expect(leaving([5, 3, 2, 1, 4], known, 4)).toEqual([5])
    expect(leaving([5, 3, 2, 1, 4], known, 3)).toEqual([1, 5])
    expect(leaving([3, 2, 1], standing({ a: { 1: 9n, 2: 9n, 3: 9n } }), 1)).toEqual([2, 1])
  })

  test('behavior: many makers with the same small amount of an unused token rank after the first maker of another token', () => {
    const crowd = Array.from({ length: 5 }, (_, index) => index + 10)
    const known = standing({ a: { 1: 100n }, b: Object.fromEntries(crowd.map((number) => [number, 1n])) })
    expect(leaving([...crowd, 1], known, 1)).toEqual(crowd)
  })

  test('behavior: a maker without funds is evicted for a later one with funds', () => {
    expect(leaving([7, 8, 1, 9, 2], standing({ a: { 1: 1n, 2: 1n } }), 2)).toEqual([7, 8, 9])
    expect(leaving([1, 7], standing({ a: { 1: 1n } }), 1)).toEqual([7])
    expect(leaving([7, 1], standing({ a: { 1: 1n } }), 1)).toEqual([7])
  })

  test('behavior: a fill keeps a seat', () => {
    expect(leaving([1, 2, 3], standing({ a: { 1: 5n, 2: 4n } }, [3]), 2)).toEqual([2])
  })

  test('behavior: first connections precede second ones, except for makers without funds', () => {
    const known = standing({ a: { 1: 5n, 2: 4n } })
    expect(leaving([1, 1, 2], known, 2)).toEqual([1])
    expect(leaving([1, 1, 3], known, 2)).toEqual([3])
  })

  test('behavior: a rank r in one of t tokens has at most t * r makers before it', () => {
    let reached = 0
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.bigInt(0n, 50n), { minLength: 30, maxLength: 30 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 29 }),
        fc.integer({ min: 1, max: 29 }),
        (amounts, honest, seats) => {
          const makers = Array.from({ length: 30 }, (_, number) => number)
          const known = standing(
            Object.fromEntries(
              amounts.map((own, token) => [
                String(token),
                Object.fromEntries(own.map((amount, index) => [index, amount])),
              ]),
            ),
          )
          const gone = leaving(makers, known, seats)
          expect(gone).toHaveLength(30 - seats)
          for (const own of amounts) {
            const amount = own[honest] ?? 0n
            // The rank is the number of makers with at least as much, including this one.
            const rank = own.filter((other) => other >= amount).length
            if (amount === 0n || rank * amounts.length > seats) continue
            reached += 1
            expect(gone).not.toContain(honest)
          }
        },
      ),
      { numRuns: 300 },
    )
    expect(reached).toBeGreaterThan(20)
  })
})
