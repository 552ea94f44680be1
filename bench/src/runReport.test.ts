import { describe, expect, test } from '@jest/globals'
import type { Finding } from './row.ts'
import { exitCodeOf, formatDetails, formatTable, type Outcome, type RunReport } from './runReport.ts'

const finding: Finding = {
  what: 'verify | one',
  rival: 'viem',
  unit: 'x',
  figure: { median: 25, low: 24, high: 26 },
  goal: { least: 24 },
  limit: '38x',
  notes: ['a fact'],
  others: [
    { rival: 'ethers 6', how: 'verifyTypedData', figure: { median: 30, low: 29, high: 31 } },
    { rival: 'AirSwap', how: 'not installed' },
  ],
}
const good: Outcome = { id: 'verify', seconds: 3, findings: [finding] }
const missed: Outcome = { id: 'sign', seconds: 3, findings: [{ ...finding, goal: { least: 30 } }] }
const failed: Outcome = { id: 'ingest', seconds: 1, failure: 'no\nport' }
const skipped: Outcome = { id: 'cluster-cpu', seconds: 0, findings: [], skipped: 'there is no PostgreSQL' }
const machine = {
  cpu: 'a CPU',
  cores: 2,
  memoryGiB: 8,
  os: 'Linux 6',
  node: '24.0.0',
  day: '2026-01-02',
  commit: 'abc1234',
}
const report = (...outcomes: Outcome[]): RunReport => ({ machine, rounds: 5, outcomes })

describe('exitCodeOf', () => {
  test('default: 0 when everything holds', () => expect(exitCodeOf(report(good))).toBe(0))
  test('behavior: 0 for a row that was skipped', () => expect(exitCodeOf(report(skipped))).toBe(0))
  test('error: 1 for a missed goal', () => expect(exitCodeOf(report(good, missed))).toBe(1))
  test('error: 1 for a row that failed', () => expect(exitCodeOf(report(failed, good))).toBe(1))
})

test('behavior: a row that was skipped says why', () => {
  expect(formatTable(report(skipped))).toContain('| cluster-cpu |  |  |  |  | skipped: there is no PostgreSQL |')
})

test('default: the table has a line for every finding and every failure', () => {
  expect(formatTable(report(good, missed, failed)).split('\n')).toEqual([
    '2 x a CPU, 8 GiB, Linux 6, Node 24.0.0, 2026-01-02, commit abc1234; medians of 5 rounds.',
    '',
    '| what | against | goal | measured (low to high) | limit |  |',
    '|---|---|---|---|---|---|',
    '| verify \\| one | viem | >= 24x | 25x (24 to 26) | 38x | holds |',
    '| verify \\| one | viem | >= 30x | 25x (24 to 26) | 38x | falls short |',
    '| ingest |  |  |  |  | failed: no port |',
    '',
  ])
})

test('behavior: missing rivals are named, never left out', () => {
  const details = formatDetails({ ...report(good, failed), rivalsProblem: 'no network' })
  expect(details).toContain('Rivals are missing: no network')
  expect(details).toContain('- a fact')
  expect(details).toContain('- against ethers 6 (verifyTypedData): 30x (29 to 31)')
  expect(details).toContain('- against AirSwap (not installed): missing')
})
