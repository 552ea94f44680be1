import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { awayMs, chooseNode, compareFinalized, countBehind, judgeNode, type NodeView, noteBlock } from './chooseNode.ts'

const now = 100_000
const sound: NodeView = {
  failure: null,
  probeMs: 20,
  probesBehind: 0,
  isConflicting: false,
  healthySince: now - 60_000,
  retryAt: 0,
}
const broken: NodeView = { ...sound, failure: 'silent', healthySince: null }
const choose = (current: number, ...nodes: NodeView[]) => chooseNode({ nodes, current, now })

describe('judgeNode', () => {
  const judge = (changes: Partial<NodeView>, other: Partial<NodeView> = {}) => {
    const node = { ...sound, ...changes }
    return judgeNode(node, [node, { ...sound, ...other }])
  }

  test('default', () => {
    expect(judge({})).toBeNull()
    for (const failure of ['silent', 'limited', 'garbage', 'unverified'] as const) {
      expect(judge({ failure })).toBe(failure)
    }
    expect(judge({ isConflicting: true, failure: 'silent' })).toBe('conflicting')
  })

  test('behavior: behind from the second probe on', () => {
    expect([judge({ probesBehind: 1 }), judge({ probesBehind: 2 })]).toEqual([null, 'behind'])
  })

  test('behavior: slow from a second on, if another node that works is twice as fast', () => {
    expect([judge({ probeMs: 999 }), judge({ probeMs: 1_000 })]).toEqual([null, 'slow'])
    expect([judge({ probeMs: 1_000 }, { probeMs: 500 }), judge({ probeMs: 1_000 }, { probeMs: 501 })]).toEqual([
      'slow',
      null,
    ])
    expect(judge({ probeMs: 1_000 }, { failure: 'limited' })).toBeNull()
    expect(judge({ probeMs: 1_000 }, { probeMs: null })).toBeNull()
    expect(judge({ probeMs: null })).toBeNull()
  })
})

describe('chooseNode', () => {
  test('default: a node without a fault stays', () => {
    expect(choose(0, sound, sound)).toEqual({ index: 0, reason: null })
  })

  test('behavior: a node with a fault is left for the most preferred one without', () => {
    expect(choose(0, broken, sound, sound)).toEqual({ index: 1, reason: 'silent' })
    expect(choose(1, sound, broken, sound)).toEqual({ index: 0, reason: 'silent' })
    expect(choose(0, broken, broken, sound)).toEqual({ index: 2, reason: 'silent' })
  })

  test('behavior: a node that was left recently is the last choice', () => {
    const left = { ...sound, retryAt: now + 1 }
    expect(choose(1, left, broken, sound)).toEqual({ index: 2, reason: 'silent' })
    expect(choose(1, { ...left, retryAt: now }, broken, sound)).toEqual({ index: 0, reason: 'silent' })
    expect(choose(1, left, broken)).toEqual({ index: 0, reason: 'silent' })
  })

  test('behavior: without a better node, the current one stays', () => {
    expect(choose(0, broken, broken)).toEqual({ index: 0, reason: null })
    expect(choose(0, broken)).toEqual({ index: 0, reason: null })
  })

  test('behavior: a preferred node is used again after 15 healthy seconds, not before its back-off ends', () => {
    const healthy = (ms: number) => ({ ...sound, healthySince: now - ms })
    expect(choose(1, healthy(14_999), sound)).toEqual({ index: 1, reason: null })
    expect(choose(1, healthy(15_000), sound)).toEqual({ index: 0, reason: 'preferred' })
    expect(choose(1, { ...sound, retryAt: now + 1 }, sound)).toEqual({ index: 1, reason: null })
    expect(choose(1, { ...sound, healthySince: null }, sound)).toEqual({ index: 1, reason: null })
    expect(choose(1, broken, sound)).toEqual({ index: 1, reason: null })
    expect(choose(0, sound, sound)).toEqual({ index: 0, reason: null })
    expect(choose(2, broken, sound, sound)).toEqual({ index: 1, reason: 'preferred' })
  })
})

test('countBehind: more than three blocks below the best other node, in consecutive probes', () => {
  expect([countBehind(1, 7n, [10n]), countBehind(1, 6n, [10n])]).toEqual([0, 2])
  expect(countBehind(1, 6n, [5n, 10n])).toBe(2)
  expect([countBehind(1, 6n, [null]), countBehind(1, null, [10n])]).toEqual([0, 1])
})

test('awayMs: doubles from five seconds to five minutes', () => {
  expect([1, 2, 6, 7, 50].map(awayMs)).toEqual([5_000, 10_000, 160_000, 300_000, 300_000])
})

describe('compareFinalized', () => {
  const [a, b, c]: Hex[] = ['0xa', '0xb', '0xc']
  test.each<[(Hex | null | undefined)[], 'disagree' | number[]]>([
    [[], []],
    [[null, null], []],
    [[a], []],
    [[a, a], []],
    [[a, null], []],
    [[a, b], 'disagree'],
    [[a, b, null], 'disagree'],
    [[a, b, a], [1]],
    [[b, a, a], [0]],
    [[null, b, a, a], [1]],
    [[a, b, c], 'disagree'],
    [[a, a, b, b], 'disagree'],
    [
      [a, a, b, b, a],
      [2, 3],
    ],
  ])('%j: %j', (hashes, expected) => {
    expect(compareFinalized(hashes as (Hex | null)[])).toEqual(expected)
  })
})

test('noteBlock: a lower block is the newest once none as new was shown for 6 seconds', () => {
  const newest = { number: 100n, at: now }
  expect(noteBlock(null, 1n, now)).toEqual({ number: 1n, at: now })
  expect(noteBlock(newest, 100n, now + 1)).toEqual({ number: 100n, at: now + 1 })
  expect(noteBlock(newest, 101n, now)).toEqual({ number: 101n, at: now })
  expect(noteBlock(newest, 99n, now + 5_999)).toEqual(newest)
  expect(noteBlock(newest, 99n, now + 6_000)).toEqual({ number: 99n, at: now + 6_000 })
})
