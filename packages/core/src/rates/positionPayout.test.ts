import { describe, expect, test } from '@jest/globals'
import { indexAtExpiry, positionPayout } from './positionPayout.ts'

const ray = 10n ** 27n
const never = { index: 0n, readAt: 0n }

describe('indexAtExpiry', () => {
  const lastOpening = { index: ray, readAt: 1_000n }
  const series = { expiry: 1_600n, lastOpening, observation: null, checkpoint: null }

  test('default: interpolates linearly from the last opening to the checkpoint, rounded down', () => {
    const checkpoint = { index: ray + 1_000n, readAt: 1_700n }
    // 1,000 * 600 / 700 = 857.1…
    expect(indexAtExpiry({ ...series, checkpoint }, never)).toBe(ray + 857n)
  })

  test('behavior: a checkpoint at the expiry alone determines the index', () => {
    const checkpoint = { index: ray + 1_000n, readAt: 1_600n }
    expect(indexAtExpiry({ ...series, checkpoint }, { index: 5n * ray, readAt: 9_999n })).toBe(ray + 1_000n)
  })

  test('behavior: a newer observation replaces the last opening, also if the index fell since', () => {
    const checkpoint = { index: ray + 1_000n, readAt: 1_700n }
    const observation = { index: ray + 100n, readAt: 1_500n }
    // 100 + 900 * 100 / 200
    expect(indexAtExpiry({ ...series, observation, checkpoint }, never)).toBe(ray + 550n)
    const fallen = { index: ray - 100n, readAt: 1_500n }
    expect(indexAtExpiry({ ...series, observation: fallen, checkpoint }, never)).toBe(ray + 450n)
    expect(indexAtExpiry({ ...series, observation }, { index: ray, readAt: 1_700n })).toBe(ray + 100n)
  })

  test('behavior: an observation counts only if it is newer than the last opening', () => {
    const checkpoint = { index: ray + 1_000n, readAt: 1_600n + 600n }
    const at = (readAt: bigint) =>
      indexAtExpiry({ ...series, observation: { index: ray + 600n, readAt }, checkpoint }, never)
    expect(at(1_000n)).toBe(ray + 500n)
    // 600 + 400 * 599 / 1,199
    expect(at(1_001n)).toBe(ray + 799n)
  })

  test('behavior: without a checkpoint, assumes a constant index until the expiry', () => {
    const index = ray + 1_000n
    expect(indexAtExpiry(series, { index, readAt: 1_001n })).toBe(ray + 1_000n)
    expect(indexAtExpiry(series, { index, readAt: 1_600n })).toBe(ray + 1_000n)
    expect(indexAtExpiry(series, { index, readAt: 1_601n })).toBe(ray + 998n)
  })

  test('behavior: treats a fallen index as no growth', () => {
    const fallen = { index: ray - 1n, readAt: 1_700n }
    expect(indexAtExpiry({ ...series, checkpoint: fallen }, never)).toBe(ray)
    expect(indexAtExpiry(series, fallen)).toBe(ray)
  })

  test('behavior: an index beyond 192 bits is cut off', () => {
    expect(indexAtExpiry(series, { index: 2n ** 200n, readAt: 1_600n })).toBe(2n ** 192n - 1n)
  })
})

describe('positionPayout', () => {
  const position = { notional: 1_000n, cost: 7n, indexAtOpen: ray }

  test('default: floating interest to the borrower, rounded down, the rest to the maker', () => {
    expect(positionPayout(position, ray + (ray * 10_999n) / 1_000_000n)).toEqual({ toBorrower: 10n, toMaker: 997n })
  })

  test.each([
    ['an index that has fallen', ray - 1n, 0n],
    ['no growth', ray, 0n],
    ['an index one below twice the first', 2n * ray - 1n, 999n],
    ['an index that has doubled', 2n * ray, 1_000n],
    ['an index that has more than doubled', 3n * ray, 1_000n],
    ['an index that has grown from nothing', 1n, 1_000n, 0n],
  ])('behavior: %s', (_, index, toBorrower, indexAtOpen = ray) => {
    expect(positionPayout({ ...position, indexAtOpen }, index)).toEqual({ toBorrower, toMaker: 1_007n - toBorrower })
  })
})
