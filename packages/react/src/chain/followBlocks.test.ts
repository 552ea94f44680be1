import { describe, expect, test } from '@jest/globals'
import { isFresh, rereadAfter } from './followBlocks.ts'

const block = (number: bigint, fork = 'a') => ({ number, hash: `0x${fork.repeat(64)}` as const, timestamp: 0n })

describe('rereadAfter', () => {
  test('default: soon after a newer block, or after a block was replaced', () => {
    expect(rereadAfter(block(5n), block(6n), false)).toBe(100)
    expect(rereadAfter(block(5n), block(5n, 'b'), false)).toBe(100)
  })

  test('behavior: periodically without a newer block', () => {
    expect(rereadAfter(block(5n), block(5n), false)).toBe(5_000)
    expect(rereadAfter(block(6n), block(5n), false)).toBe(5_000)
    expect(rereadAfter(undefined, block(5n), false)).toBe(5_000)
    expect(rereadAfter(block(5n), undefined, false)).toBe(5_000)
  })

  test('error: retries a failed read after a second', () => {
    expect(rereadAfter(block(5n), block(6n), true)).toBe(1_000)
  })
})

describe('isFresh', () => {
  test('default', () => {
    expect([0, 15_000, 15_001].map((age) => isFresh(1_000_000, 1_000_000 + age))).toEqual([true, true, false])
  })

  test('behavior: setting the clock back does not make a reading fresh', () => {
    expect(isFresh(1_000_000, 900_000)).toBe(false)
  })
})
