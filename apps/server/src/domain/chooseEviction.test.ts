import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { chooseEviction, type Present } from './chooseEviction.ts'

const of = (...networks: string[]): Present => ({ networks })
const limits = { all: 4, perNetwork: 3 }

describe('chooseEviction', () => {
  test('default: no eviction while there is room', () => {
    expect(chooseEviction([of('a'), of('a'), of('b')], of('a'), limits)).toBeNull()
  })

  test('behavior: a full network makes its own room', () => {
    expect(chooseEviction([of('b'), of('a'), of('a'), of('a')], of('a'), limits)).toBe(1)
    expect(chooseEviction([of('b'), of('a'), of('a')], of('a'), limits)).toBeNull()
    // The result is the same if the set has room, or if another network has more clients.
    expect(chooseEviction([of('b'), of('a'), of('a'), of('a')], of('a'), { all: 9, perNetwork: 3 })).toBe(1)
    const larger = [of('A1', 'A'), of('A2', 'A'), of('A3', 'A'), of('b'), of('b')]
    expect(chooseEviction(larger, of('b'), { all: 5, perNetwork: 2 })).toBe(3)
  })

  test('behavior: otherwise the oldest client of the fullest network is evicted', () => {
    expect(chooseEviction([of('b'), of('a'), of('c'), of('a')], of('d'), limits)).toBe(1)
    // The newcomer counts too, which makes its network as full as the other.
    expect(chooseEviction([of('b'), of('a'), of('c'), of('a')], of('b'), limits)).toBe(0)
    expect(chooseEviction([of('a'), of('b'), of('c'), of('d')], of('e'), limits)).toBe(0)
  })

  test('behavior: a client with many small networks counts by the large one', () => {
    const present = [of('x'), of('a1', 'A'), of('a2', 'A'), of('a3', 'A')]
    expect(chooseEviction(present, of('a4', 'A'), limits)).toBe(1)
    expect(chooseEviction(present, of('y'), limits)).toBe(1)
  })

  test('behavior: the only client of its network is never evicted by fewer networks than slots', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    fc.assert(
      fc.property(fc.array(names, { minLength: 100, maxLength: 300 }), (newcomers) => {
        const all = { all: 8, perNetwork: 3 }
        const present = [of('honest')]
        let gaveWay = 0
        for (const newcomer of newcomers) {
          const index = chooseEviction(present, of(newcomer), all)
          if (index !== null) gaveWay += present.splice(index, 1).length
          present.push(of(newcomer))
          expect(present.length).toBeLessThanOrEqual(8)
          expect(present.some(({ networks }) => networks.includes('honest'))).toBe(true)
        }
        expect(gaveWay).toBeGreaterThan(0)
      }),
    )
  })
})
