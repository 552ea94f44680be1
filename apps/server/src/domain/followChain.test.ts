import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { fitsBlocks, isConnected, planSync, type SyncStep } from './followChain.ts'

/** Returns the block at this height on one of two chains. */
const block = (number: number, chain: 'a' | 'b' = 'a') => ({ number: BigInt(number), hash: hashOf(number, chain) })
const hashOf = (number: number, chain: 'a' | 'b'): Hex =>
  numberToHex(number + (chain === 'a' ? 1_000 : 2_000), { size: 32 })

/** Repeats the decision until the step is not a read, for a node on chain `a` up to the fork and on `b` above it. */
function planAll({ from, cursor, fork, head }: { from: number; cursor: number; fork: number; head: number }) {
  const onNode = (number: number) => block(number, number <= fork ? 'a' : 'b')
  const kept = Array.from({ length: cursor - from + 1 }, (_, index) => block(from + index))
  const answers = new Map<bigint, Hex>()
  const newest = { ...onNode(head), parentHash: onNode(head - 1).hash }
  for (let reads = 0; ; reads += 1) {
    const step: SyncStep = planSync({ cursor: block(cursor), kept, head: newest, answers, deployBlock: 0n })
    if (step.do !== 'readBlock') return { step, reads }
    answers.set(step.number, onNode(Number(step.number)).hash)
  }
}

describe('planSync', () => {
  test('default', () => {
    expect(planAll({ from: 0, cursor: 9, fork: 99, head: 10 })).toEqual({ step: { do: 'follow', from: 10n }, reads: 0 })
    expect(planAll({ from: 0, cursor: 9, fork: 99, head: 20 })).toEqual({ step: { do: 'follow', from: 10n }, reads: 1 })
    expect(planAll({ from: 0, cursor: 9, fork: 99, head: 9 })).toEqual({ step: { do: 'wait' }, reads: 0 })
  })

  test('behavior: an empty store starts at the deploy block, as soon as it exists', () => {
    const empty = { cursor: null, kept: [], answers: new Map<bigint, Hex>(), deployBlock: 5n }
    const head = (number: number) => ({ ...block(number), parentHash: hashOf(number - 1, 'a') })
    expect(planSync({ ...empty, head: head(4) })).toEqual({ do: 'wait' })
    expect(planSync({ ...empty, head: head(5) })).toEqual({ do: 'follow', from: 5n })
  })

  test('behavior: a node that merely lags: wait', () => {
    expect(planAll({ from: 36, cursor: 100, fork: 999, head: 80 }).step).toEqual({ do: 'wait' })
    expect(planAll({ from: 36, cursor: 100, fork: 999, head: 10 }).step).toEqual({ do: 'wait' })
  })

  test('behavior: a shorter branch is a reorganisation too', () => {
    expect(planAll({ from: 36, cursor: 100, fork: 70, head: 80 }).step).toEqual({ do: 'rollBack', to: block(70) })
  })

  test('behavior: no common block: resync', () => {
    expect(planAll({ from: 36, cursor: 100, fork: 35, head: 101 }).step).toEqual({ do: 'resync' })
  })

  test('behavior: any reorganisation is found, with at most 8 reads', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 64 }), fc.integer({ min: -64, max: 50 }), (depth, further) => {
        const [from, cursor] = [100, 164]
        const head = cursor + further
        const fork = cursor - depth
        const { step, reads } = planAll({ from, cursor, fork, head })
        if (head > fork && depth > 0) expect(step).toEqual({ do: 'rollBack', to: block(fork) })
        else expect(step).toEqual(head > cursor ? { do: 'follow', from: 165n } : { do: 'wait' })
        expect(reads).toBeLessThanOrEqual(8)
      }),
      { numRuns: 500 },
    )
  })
})

describe('isConnected', () => {
  test('default', () => {
    const linked = (number: number) => ({ ...block(number), parentHash: hashOf(number - 1, 'a') })
    expect(isConnected(block(4), [linked(5), linked(6)])).toBe(true)
    expect(isConnected(null, [linked(5), linked(6)])).toBe(true)
    expect(isConnected(block(4, 'b'), [linked(5)])).toBe(false)
    expect(isConnected(block(4), [linked(6)])).toBe(false)
    expect(isConnected(block(4), [linked(5), { ...linked(6), parentHash: hashOf(5, 'b') }])).toBe(false)
  })
})

describe('fitsBlocks', () => {
  test('default', () => {
    const at = (number: number, logIndex = 0, chain: 'a' | 'b' = 'a') => ({
      blockNumber: BigInt(number),
      blockHash: hashOf(number, chain),
      logIndex,
    })
    const blocks = [block(1), block(2)]
    expect(fitsBlocks([at(1), at(1, 1), at(2)], blocks)).toBe(true)
    expect(fitsBlocks([at(1, 0, 'b')], blocks)).toBe(false)
    expect(fitsBlocks([at(3)], blocks)).toBe(false)
    expect(fitsBlocks([at(1), at(1)], blocks)).toBe(false)
  })
})
