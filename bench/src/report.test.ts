import { describe, expect, test } from '@jest/globals'
import {
  describeOutcome,
  exitCodeOf,
  formatDetails,
  formatTable,
  holds,
  type Outcome,
  type Report,
  replaceBetweenMarkers,
} from './report.ts'

const figure = { median: 25.44, low: 9.123, high: 126.4 }
const good: Outcome = {
  id: 'ingest',
  seconds: 3,
  measured: { durablePost: figure, durablePostLatency: { median: 1, low: 1, high: 2 } },
}
const missed: Outcome = { id: 'verify', seconds: 3, measured: { verify: { ...figure, median: 19.96, note: 'a fact' } } }
const failed: Outcome = { id: 'choose', seconds: 1, measured: {}, failure: 'no\nport' }
const skipped: Outcome = { id: 'cluster-cpu', seconds: 0, measured: {}, skipped: 'no | PostgreSQL' }
const report = (...outcomes: Outcome[]): Report => ({ machine: '2 x a CPU, commit abc1234', rounds: 5, outcomes })

test.each([
  [24, { least: 24 }, true],
  [23.999, { least: 24 }, false],
  [10, { most: 10 }, true],
  [10.001, { most: 10 }, false],
  [Number.NaN, { least: 0 }, false],
  [Number.NaN, { most: 1 }, false],
])('holds: %d against %j is %j', (median, goal, expected) => {
  expect(holds({ median }, goal)).toBe(expected)
})

describe('exitCodeOf', () => {
  test('default: 0 if every measured goal holds', () => expect(exitCodeOf(report(good, skipped))).toBe(0))
  test('error: 1 for a missed goal', () => expect(exitCodeOf(report(good, missed))).toBe(1))
  test('error: 1 for a row that failed', () => expect(exitCodeOf(report(failed, good))).toBe(1))
})

test('formatTable: a line for every finding, failure and skipped row', () => {
  expect(formatTable(report(good, missed, failed, skipped)).split('\n')).toEqual([
    '2 x a CPU, commit abc1234; medians of 5 rounds.',
    '',
    '| what | against | goal | measured (low to high) | limit | |',
    '| - | - | - | - | - | - |',
    '| durable POST /quotes | Express 5 + viem + a commit each, the same checks | >= 20x | 25.4x (9.12 to 126) | 28x | holds |',
    '| durable POST /quotes, p99 at 60 % of the measured capacity | | <= 10 ms | 1 ms (1 to 2) | | holds |',
    '| verify one quote, one thread | viem `verifyTypedData` | >= 20x | 20.0x (9.12 to 126) | 38x | falls short |',
    '| choose | | | | | failed: no port |',
    '| cluster-cpu | | | | | skipped: no \\| PostgreSQL |',
    '',
  ])
})

test('formatTable: with a selection, the selected figures and every failure', () => {
  const [, , , , ...lines] = formatTable(report(good, missed, failed), ['durablePost']).split('\n')
  expect(lines.map((line) => line.split(' | ')[0])).toEqual(['| durable POST /quotes', '| choose', ''])
})

test('formatDetails: notes, and the time of each row', () => {
  expect(formatDetails(report(missed, failed))).toBe(
    '- verify one quote, one thread: a fact\n\nSeconds: verify 3, choose 1; together 4.\n',
  )
})

test('describeOutcome: a line for every figure', () => {
  expect(describeOutcome(missed)).toBe(
    'verify (3 s)\n  verify one quote, one thread; viem `verifyTypedData`; >= 20x; 20.0x (9.12 to 126); 38x; falls short',
  )
})

describe('replaceBetweenMarkers', () => {
  const [begin, end] = ['<!-- bench: begin -->', '<!-- bench: end -->']
  test('default: replaces the table of the previous run', () => {
    const once = replaceBetweenMarkers(`before\n${begin}\nold\n${end}\nafter\n`, '| new $& |\n')
    expect(once).toBe(`before\n${begin}\n| new $& |\n${end}\nafter\n`)
    expect(replaceBetweenMarkers(once, '| new $& |')).toBe(once)
  })
  test.each([
    ['none', 'text'],
    ['one', begin],
    ['the wrong order', `${end} ${begin}`],
    ['too many', `${begin} ${end} ${begin} ${end}`],
  ])('error: %s', (_, readme) => {
    expect(() => replaceBetweenMarkers(readme, 'x')).toThrow('once each')
  })
})
