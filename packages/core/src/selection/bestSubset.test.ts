import { describe, expect, test } from '@jest/globals'
import { createDraws } from '../../test/randomMarket.ts'
import { findBestSubset, type SubsetItem, type SubsetLimits } from './bestSubset.ts'

const item = (size: number, worth: number, group = -1): SubsetItem => ({
  size: BigInt(size),
  worth: BigInt(worth),
  group,
})
const limits = (room: number, change: Partial<SubsetLimits> = {}): SubsetLimits => ({
  room: BigInt(room),
  groupRooms: [],
  most: 4,
  atLeast: 0n,
  steps: 100_000,
  ...change,
})
const times = (count: number, make: (index: number) => SubsetItem) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Creates an item of size 1 to 100, worth 20 to 29 per unit. */
const mixed = (index: number) => {
  const size = 1 + ((index * 37) % 100)
  return item(size, size * (20 + ((index * 7) % 10)))
}

/** Returns the smallest number of steps that completes the search. */
function stepsOf(items: SubsetItem[], given: SubsetLimits): number {
  let [low, high] = [0, 100_000]
  while (low < high) {
    const middle = (low + high) >> 1
    if (findBestSubset(items, { ...given, steps: middle }).complete) high = middle
    else low = middle + 1
  }
  return low
}

describe('findBestSubset', () => {
  test('default', () => {
    const items = [item(60, 9), item(50, 8), item(40, 7), item(10, 2)]
    expect(findBestSubset(items, limits(100))).toEqual({ picked: [1, 2, 3], complete: true })
    expect(findBestSubset(items, limits(100, { most: 2 }))).toEqual({ picked: [0, 2], complete: true })
    expect(findBestSubset(items, limits(9))).toEqual({ picked: [], complete: true })
    expect(findBestSubset([], limits(100))).toEqual({ picked: [], complete: true })
  })

  test('behavior: among equals, prefers fewer items, then earlier ones', () => {
    expect(findBestSubset([item(100, 6), item(50, 3), item(50, 3)], limits(100)).picked).toEqual([0])
    expect(findBestSubset([item(50, 3), item(50, 3), item(50, 3)], limits(100)).picked).toEqual([0, 1])
  })

  test('behavior: requires the minimum worth', () => {
    const items = [item(60, 9), item(40, 7)]
    expect(findBestSubset(items, limits(100, { atLeast: 16n })).picked).toEqual([0, 1])
    expect(findBestSubset(items, limits(100, { atLeast: 17n })).picked).toEqual([])
    expect(findBestSubset(items, limits(60, { atLeast: 9n })).picked).toEqual([0])
  })

  test('behavior: each group has its own capacity, which other sets can use again', () => {
    const items = [item(50, 9, 0), item(40, 8, 0), item(30, 7, 1), item(20, 6)]
    const picked = (...rooms: bigint[]) => findBestSubset(items, limits(140, { groupRooms: rooms })).picked
    expect(picked(90n, 30n)).toEqual([0, 1, 2, 3])
    expect(picked(89n, 30n)).toEqual([0, 2, 3])
    expect(picked(89n, 29n)).toEqual([0, 3])
    expect(picked(49n, 29n)).toEqual([1, 3])
    expect(picked(39n, 29n)).toEqual([3])
  })

  test('behavior: returns the best result seen at the step limit', () => {
    const items = [item(60, 9), item(50, 8), item(50, 8)]
    expect(findBestSubset(items, limits(100, { steps: 1 }))).toEqual({ picked: [0], complete: false })
    expect(findBestSubset(items, limits(100))).toEqual({ picked: [1, 2], complete: true })
  })

  test('behavior: 20 items take at most 7,775 steps', () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    const draw = createDraws(seed)
    let most = 0
    for (let run = 0; run < 40; run += 1) {
      // With unordered sizes and nearly equal worths, there is little to prune.
      const items = times(20, (index) => item(200 + draw(100), 2_000 - index))
      const isComplete = findBestSubset(items, limits(800 + draw(200), { steps: 7_775 })).complete
      if (!isComplete) throw new Error(`SEED=${seed}: run ${run} needs more steps`)
      most = Math.max(most, stepsOf(items, limits(900)))
    }
    expect(most).toBeGreaterThan(50)
  })

  test.each<[string, SubsetItem[], SubsetLimits, number]>([
    ['fewer items than are to be taken', times(2, () => item(1, 1)), limits(9), 3],
    ['equal items', times(200, () => item(1, 1)), limits(1_000), 16],
    ['more than the room', times(200, () => item(11, 1)), limits(10), 0],
    [
      'sizes in order, most of them too large',
      times(200, (index) => item(1_000 - index, 1_000 - index)),
      limits(810),
      1,
    ],
    ['one that is dense enough for all', [item(100, 100), ...times(199, () => item(99, 90))], limits(100), 1],
    ['a dense one at the end', [...times(199, () => item(100, 100)), item(10, 11)], limits(100), 1],
    ['sizes without order', times(60, (index) => item(10 + (index % 7), 200 - index)), limits(43), 24],
    [
      'what even the densest in all of the room does not make better',
      times(60, (index) => mixed(index)).sort((a, b) => Number(b.worth - a.worth)),
      limits(160),
      21,
    ],
    ['not enough room for more', times(200, (index) => item(60 + (index % 2), 500 - index)), limits(100), 595],
  ])('behavior: leaves out what cannot be better: %s', (_, items, given, expected) => {
    expect(stepsOf(items, given)).toBe(expected)
  })
})
