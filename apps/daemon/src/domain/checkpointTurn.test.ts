import { describe, expect, test } from '@jest/globals'
import { type Hex, pad, toHex } from 'viem'
import {
  advanceHead,
  createWatch,
  estimateFirstBlock,
  type Head,
  isDue,
  isExhausted,
  isPolled,
  listSeries,
  maxSeries,
  nextPollMs,
  type Watch,
} from './checkpointTurn.ts'

const account = pad('0x1', { size: 20 })
const keyOf = (number: number): Hex => pad(toHex(number), { size: 32 })
const expiry = 1_000
const watch = (changes: Partial<Watch> = {}): Watch => ({
  ...{ expiry, turn: 0, firstBlock: null, sentAt: null, sends: 0, polls: 0, isTaken: false },
  ...changes,
})
const head = (changes: Partial<Head> = {}): Head => ({ number: 50n, timestamp: 998, interval: 2, ...changes })

test('behavior: turns are 0, 1 and 2, and depend on the account and the series', () => {
  const turnsOf = (maker: Hex) => Array.from({ length: 300 }, (_, at) => createWatch(maker, keyOf(at), expiry).turn)
  const own = turnsOf(account)
  expect(own).not.toEqual(turnsOf(pad('0x2', { size: 20 })))
  for (const turn of [0, 1, 2]) expect(own.filter((one) => one === turn).length).toBeGreaterThan(70)
  expect(new Set(own).size).toBe(3)
})

describe('isDue', () => {
  test.each<[string, Partial<Watch>, Partial<Head>, boolean]>([
    ['the next block is at the expiry', {}, {}, true],
    ['the next block is one second before the expiry', {}, { timestamp: 997 }, false],
    ['a longer interval reaches the expiry', {}, { timestamp: 990, interval: 10 }, true],
    ['turn 1, before the expiry', { turn: 1 }, {}, false],
    ['turn 1, at the first block', { turn: 1 }, { timestamp: 1_000 }, true],
    ['turn 2, at the first block', { turn: 2 }, { timestamp: 1_001 }, false],
    ['turn 2, at the second block', { turn: 2 }, { timestamp: 1_002 }, true],
    ['turn 2, at the second block of a faster chain', { turn: 2, firstBlock: 49n }, { timestamp: 1_001 }, true],
    ['turn 2, at the first block of a slower chain', { turn: 2, firstBlock: 50n }, { timestamp: 1_009 }, false],
    ['turn 2, long after the expiry', { turn: 2 }, { timestamp: 90_000 }, true],
    ['sent at this block', { sentAt: 50n }, {}, false],
    ['sent at the previous block', { sentAt: 49n, sends: 1 }, {}, true],
    ['the last transaction', { sends: 19 }, {}, true],
    ['too many transactions', { sends: 20 }, {}, false],
    ['the checkpoint exists', { isTaken: true }, {}, false],
  ])('behavior: %s', (_what, changes, at, expected) => {
    expect(isDue(watch(changes), head(at))).toBe(expected)
  })
})

test.each([
  [997, 52n],
  [998, 51n],
  [999, 51n],
  [1_000, 50n],
  [1_001, 50n],
  [1_002, 49n],
])('behavior: at %d seconds the first block is %d', (timestamp, expected) => {
  expect(estimateFirstBlock(head({ timestamp }), expiry)).toBe(expected)
})

test.each<[string, { number: bigint; timestamp: number }, number]>([
  ['the same block', { number: 50n, timestamp: 998 }, 2],
  ['an earlier block', { number: 49n, timestamp: 996 }, 2],
  ['the mean, rounded up', { number: 52n, timestamp: 1_003 }, 3],
  ['at least a second', { number: 54n, timestamp: 998 }, 1],
  ['the longest interval', { number: 51n, timestamp: 1_010 }, 12],
  ['an idle chain', { number: 51n, timestamp: 1_011 }, 12],
])('behavior: the interval of %s', (_what, read, interval) => {
  expect(advanceHead(head(), read)).toEqual({ ...read, interval })
})

test("default: the interval is Base's before it is measured", () => {
  expect(advanceHead(null, { number: 1n, timestamp: 5 })).toEqual({ number: 1n, timestamp: 5, interval: 2 })
})

describe('nextPollMs', () => {
  test.each<[string, Partial<Watch>, number, number | null]>([
    ['a second before polling starts', {}, 984, 1_000],
    ['when polling starts', {}, 985, 500],
    ['after the expiry', {}, 1_040, 500],
    ['the checkpoint exists', { isTaken: true }, 990, null],
    ['the last poll', { polls: 119 }, 990, 500],
    ['too many polls', { polls: 120 }, 990, null],
    ['the last transaction while polling', { sends: 4 }, 1_001, 500],
    ['too many transactions while polling', { sends: 5 }, 1_001, null],
  ])('behavior: %s', (_what, changes, now, expected) => {
    expect(nextPollMs([watch(changes)], now)).toBe(expected)
    expect(isPolled(watch(changes), now)).toBe(expected === 500)
  })

  test('behavior: the next expiry counts', () => {
    const later = watch({ expiry: 9_000 })
    expect(nextPollMs([later, watch()], 900)).toBe(85_000)
    expect(nextPollMs([later, watch()], 1_000)).toBe(500)
    expect(nextPollMs([], 900)).toBeNull()
  })
})

test.each<[Partial<Watch>, boolean]>([
  [{ sends: 4 }, false],
  [{ sends: 5 }, true],
  [{ sends: 5, isTaken: true }, false],
])('behavior: %o is exhausted: %s', (changes, expected) => {
  expect(isExhausted(watch(changes))).toBe(expected)
})

test('behavior: lists each series once, nearest first, up to a limit', () => {
  const positions = [1_500, 1_000, 700, 1_000].map((at) => ({ seriesKey: keyOf(at), expiry: at }))
  expect(listSeries(positions, 1_100).map(([, at]) => at)).toEqual([1_000, 1_500, 700])
  const many = Array.from({ length: maxSeries + 1 }, (_, at) => ({ seriesKey: keyOf(at), expiry: at }))
  expect(listSeries(many, 0).map(([, at]) => at)).toEqual(many.slice(0, maxSeries).map((one) => one.expiry))
})
