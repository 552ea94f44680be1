import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bytesToHex, type Hex } from 'viem'
import { agedDebt, olderBlocks } from './debtAge.ts'

const ray = 10n ** 27n
const at = (debt: bigint, index = ray) => ({ debt, index })
const hashOfWord = (word: string): Hex => `0x${word.repeat(8)}`
const [lowest, highest] = ['00000000', 'ffffffff'].map((word) => hashOfWord(word)) as [Hex, Hex]

describe('olderBlocks', () => {
  test('default: the oldest block, and one of each eighth of the blocks between', () => {
    expect(olderBlocks({ number: 1_000n, hash: lowest }, 81)).toEqual([
      ...[919n, 920n, 930n, 940n, 950n, 960n, 970n, 980n, 990n],
    ])
  })

  test('behavior: the hash draws every block between, and no other', () => {
    const drawn = new Set<bigint>()
    for (let word = 0; word < 20; word += 1) {
      const hash = hashOfWord(word.toString(16).padStart(8, '0'))
      for (const number of olderBlocks({ number: 1_000n, hash }, 100).slice(1)) drawn.add(number)
    }
    expect([...drawn].sort()).toEqual(Array.from({ length: 99 }, (_, index) => BigInt(901 + index)).sort())
  })

  test('behavior: each part has its own word of the hash', () => {
    const one = olderBlocks({ number: 1_000n, hash: lowest }, 100)
    for (let part = 0; part < 8; part += 1) {
      const hash = `${lowest.slice(0, 9 + 8 * part)}1${lowest.slice(10 + 8 * part)}` as Hex
      const changed = olderBlocks({ number: 1_000n, hash }, 100).flatMap((number, index) =>
        number === one[index] ? [] : [index],
      )
      expect(changed).toEqual([part + 1])
    }
  })

  test('behavior: any age, with at most one block for each between', () => {
    expect(olderBlocks({ number: 9n, hash: highest }, 0)).toEqual([])
    expect(olderBlocks({ number: 9n, hash: highest }, 1)).toEqual([8n])
    expect(olderBlocks({ number: 9n, hash: highest }, 3)).toEqual([6n, 7n, 8n])
    const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 112 }), hashes, (age, hash) => {
        const [oldest, ...drawn] = olderBlocks({ number: 500n, hash }, age)
        expect(oldest).toBe(BigInt(500 - age))
        expect(drawn).toHaveLength(Math.min(8, age - 1))
        expect(drawn.every((number, index) => number > (drawn[index - 1] ?? oldest ?? 0n) && number < 500n)).toBe(true)
      }),
    )
  })
})

describe('agedDebt', () => {
  test('default: the smallest debt', () => {
    expect(agedDebt(at(100n), [at(101n), at(99n), at(100n)])).toBe(99n)
    expect(agedDebt(at(98n), [at(99n)])).toBe(98n)
    expect(agedDebt(at(100n), [])).toBe(100n)
    expect(agedDebt(at(100n), [at(100n), at(0n)])).toBe(0n)
    expect(agedDebt(at(100n), [null, at(100n)])).toBe(0n)
  })

  test('behavior: an older debt grows by the interest since, rounded up', () => {
    expect(agedDebt(at(110n, (11n * ray) / 10n), [at(100n)])).toBe(110n)
    expect(agedDebt(at(110n, (11n * ray) / 10n), [at(99n)])).toBe(109n)
    expect(agedDebt(at(100n), [at(100n, 0n)])).toBe(0n)
  })

  test('behavior: an unchanged debt keeps its whole amount, as the adapter rounds it', () => {
    const shares = fc.bigInt({ min: 1n, max: 10n ** 30n })
    const assets = fc.bigInt({ min: 1n, max: 10n ** 24n })
    const total = fc.bigInt({ min: 10n ** 12n, max: 10n ** 30n })
    const indexOf = (assets: bigint, total: bigint) => (assets * ray * 10n ** 6n) / total
    fc.assert(
      fc.property(shares, total, assets, fc.bigInt({ min: 0n, max: 10n ** 20n }), (own, all, before, interest) => {
        const debtOf = (assets: bigint) => (own * assets + all - 1n) / all
        const reading = (assets: bigint) => at(debtOf(assets), indexOf(assets, all))
        fc.pre(own <= all && before * 10n ** 6n >= all / 10n ** 6n)
        expect(agedDebt(reading(before + interest), [reading(before)])).toBe(debtOf(before + interest))
      }),
    )
  })
})
