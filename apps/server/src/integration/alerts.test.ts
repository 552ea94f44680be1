import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPrometheus } from '@firmquote/cluster/findPrograms'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { alertRules, deployFolder } from '../testing/alertRules.ts'

// The alerts are tried by Prometheus' own promtool: each fault, as the series that a server shows during it, raises its alert and
// no other; and so do the faults that bring others with them.

const programs = findPrometheus()
const given = programs ? test : test.skip
const promtool = (...args: string[]) =>
  execFileSync(join(programs ?? '', 'promtool'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-alerts-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Series by name, with their values every 15 seconds in promtool's notation. */
type Series = Record<string, string>

/** When it is looked at which alerts fire, and until when there are values. */
const [minutes, samples] = [20, 4 * 90]
const steady = (value: number | string) => `${value}+0x${samples}`
const growing = (step: number, from = 0) => `${from}${step < 0 ? '' : '+'}${step}x${samples}`

/** What a calm server shows: a request, a quote and a write a second. */
const calm: Series = {
  up: steady(1),
  process_start_time_seconds: steady(1_700_000_000),
  process_resident_memory_bytes: steady(2e8),
  nodejs_eventloop_lag_p99_seconds: steady(0.012),
  firmquote_database_readable: steady(1),
  firmquote_database_writable: steady(1),
  firmquote_database_whole: steady(1),
  firmquote_database_free_bytes: growing(-1_000, 50e9),
  firmquote_nats_connected: steady(1),
  firmquote_head_age_seconds: steady(2),
  'firmquote_limit{setting="HEAD_STALE_SECONDS"}': steady(30),
  'firmquote_limit{setting="RUNNING_JUDGEMENTS"}': steady(2_000),
  'firmquote_limit{setting="OPEN_AUCTIONS"}': steady(200),
  'firmquote_chain_block{of="node"}': growing(7, 1_000),
  'firmquote_chain_block{of="store"}': growing(7, 999),
  firmquote_backers_connected: steady(5),
  'firmquote_quotes_waiting{from="socket"}': steady(3),
  'firmquote_quotes_waiting{from="http"}': steady(1),
  'firmquote_quote_acknowledgement_seconds_bucket{from="socket",le="0.1"}': growing(15),
  'firmquote_quote_acknowledgement_seconds_bucket{from="socket",le="0.5"}': growing(15),
  'firmquote_quote_acknowledgement_seconds_bucket{from="socket",le="5"}': growing(15),
  'firmquote_quote_acknowledgement_seconds_bucket{from="socket",le="+Inf"}': growing(15),
  'firmquote_auction_places{kind="verified"}': steady(10),
  'firmquote_auction_places{kind="unverified"}': steady(10),
  'firmquote_auction_places{kind="abandoned"}': steady(90),
  'firmquote_requests_refused_total{code="INTERNAL"}': steady(2),
  'firmquote_requests_refused_total{code="RATE_LIMITED"}': growing(4),
  'firmquote_quotes_total{from="socket",verdict="INTERNAL"}': steady(0),
  'firmquote_quotes_total{from="socket",verdict="NONCE_MISMATCH"}': growing(4),
  'firmquote_thread_heap_bytes{thread="main"}': steady(1e8),
  'firmquote_thread_heap_limit_bytes{thread="main"}': steady(4e9),
}

const slow: Series = {
  'firmquote_quote_acknowledgement_seconds_bucket{from="socket",le="0.1"}': steady(0),
  'firmquote_quote_acknowledgement_seconds_bucket{from="socket",le="0.5"}': growing(10),
}
const queued: Series = { 'firmquote_quotes_waiting{from="socket"}': steady(1_100) }
const makersLeave: Series = { firmquote_backers_connected: `5+0x20 0+0x${samples - 21}` }
const aging: Series = { firmquote_head_age_seconds: growing(15) }
const gone: Series = { firmquote_database_readable: steady(0), firmquote_database_writable: steady(0) }
const notWritable: Series = { firmquote_database_writable: steady(0) }
const damaged: Series = { ...gone, firmquote_database_whole: steady(0) }

/** What is shown during each fault beside what is calm; `_` stands for a value that is missing. */
const faults: [alert: string, name: string, series: Series][] = [
  ['FirmquoteDown', 'it does not answer', { up: steady(0) }],
  ['FirmquoteDown', 'the same, and the makers that it had are not elsewhere', { up: steady(0), ...makersLeave }],
  ['FirmquoteDown', 'nobody knows of it', { up: '_' }],
  [
    'FirmquoteRestarting',
    'it starts every two minutes',
    { process_start_time_seconds: '0+0x40 120+0x7 240+0x7 360+0x7 480+0x15' },
  ],
  ['FirmquoteNodeStale', "the node's newest block grows old", aging],
  [
    'FirmquoteNodeStale',
    'the same, and all that follows',
    { ...aging, ...slow, ...queued, 'firmquote_chain_block{of="node"}': growing(7, 1_100) },
  ],
  ['FirmquoteSyncBehind', 'the node is ahead', { 'firmquote_chain_block{of="store"}': growing(6, 900) }],
  ['FirmquoteDatabaseGone', 'the database does not answer', gone],
  [
    'FirmquoteDatabaseGone',
    'the same, and all that follows',
    { ...gone, ...makersLeave, ...aging, ...slow, ...queued },
  ],
  ['FirmquoteDatabaseDamaged', 'the database is damaged', { ...damaged, ...makersLeave, ...aging, ...slow }],
  ['FirmquoteDiskFull', 'the database takes no writes', notWritable],
  [
    'FirmquoteDiskFull',
    'the same, and all that follows',
    { ...notWritable, ...makersLeave, ...aging, ...slow, firmquote_database_free_bytes: steady(0) },
  ],
  ['FirmquoteDiskFilling', 'little is left', { firmquote_database_free_bytes: steady(9e8) }],
  [
    'FirmquoteDiskFilling',
    'it will be full in half a day',
    { firmquote_database_free_bytes: growing(-15 * 1e6, 43e9) },
  ],
  ['FirmquoteNatsGone', 'NATS is gone', { firmquote_nats_connected: steady(0) }],
  ['FirmquoteMakersGone', 'the makers leave', makersLeave],
  ['FirmquoteAcknowledgementsSlow', 'a third of the quotes waits for seconds', slow],
  ['FirmquoteQueueGrowing', 'half of what may wait does', queued],
  ['FirmquoteQueueGrowing', 'the same, and all that follows', { ...queued, ...slow }],
  [
    'FirmquotePlacesTaken',
    'strangers have nearly their half',
    { 'firmquote_auction_places{kind="unverified"}': steady(91) },
  ],
  ['FirmquotePlacesTaken', 'nearly all are taken', { 'firmquote_auction_places{kind="verified"}': steady(171) }],
  [
    'FirmquoteErrors',
    'a request fails',
    { 'firmquote_requests_refused_total{code="INTERNAL"}': `2+0x70 3+0x${samples - 71}` },
  ],
  [
    'FirmquoteErrors',
    'a quote of a socket fails',
    { 'firmquote_quotes_total{from="socket",verdict="INTERNAL"}': `0+0x70 1+0x${samples - 71}` },
  ],
  ['FirmquoteEventLoopBlocked', 'the main thread is held up', { nodejs_eventloop_lag_p99_seconds: steady(0.6) }],
  [
    'FirmquoteEventLoopBlocked',
    'the same, and all that follows',
    { nodejs_eventloop_lag_p99_seconds: steady(2), ...queued, ...slow },
  ],
  ['FirmquoteMemoryGrowing', 'a heap is nearly full', { 'firmquote_thread_heap_bytes{thread="main"}': steady(3.3e9) }],
]

/** What raises nothing: where a rule would be one step too eager. */
const harmless: [name: string, series: Series][] = [
  ['a calm server', {}],
  [
    'one without NATS, whose data is being looked at',
    { firmquote_nats_connected: steady('NaN'), firmquote_database_whole: steady('NaN'), ...notWritable },
  ],
  ['one that has no maker yet', { firmquote_backers_connected: steady(0) }],
  [
    'one without quotes',
    Object.fromEntries(
      Object.keys(calm)
        .filter((name) => name.includes('acknowledgement'))
        .map((name) => [name, steady(0)]),
    ),
  ],
  [
    'one that has read no block yet',
    { 'firmquote_chain_block{of="store"}': steady('NaN'), firmquote_head_age_seconds: steady('NaN') },
  ],
  ['one that was upgraded once', { process_start_time_seconds: `1+0x40 2+0x${samples - 41}` }],
  ['one on PostgreSQL, whose disk is elsewhere', { firmquote_database_free_bytes: steady('NaN') }],
  [
    'one that is busy',
    {
      ...slow,
      'firmquote_quote_acknowledgement_seconds_bucket{from="socket",le="0.5"}': growing(14.9),
      'firmquote_quotes_waiting{from="socket"}': steady(900),
      'firmquote_auction_places{kind="unverified"}': steady(89),
      nodejs_eventloop_lag_p99_seconds: steady(0.4),
      'firmquote_thread_heap_bytes{thread="main"}': steady(3e9),
      'firmquote_chain_block{of="store"}': growing(7, 985),
      firmquote_head_age_seconds: steady(29),
    },
  ],
]

/** A name with the labels that Prometheus adds. */
function labelled(name: string): string {
  const [, metric = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? []
  return `${metric}{${[labels, 'job="firmquote"', 'instance="127.0.0.1:3005"'].filter((text) => text !== '').join(',')}}`
}

/** The alerts that fire at the end. */
function firing(rules: string, series: Series, at = minutes): string[] {
  const file = join(folder, 'test.yml')
  const expected = { expr: 'group by (alertname) (ALERTS{alertstate="firing"})', eval_time: `${at}m` }
  const input = Object.entries({ ...calm, ...series }).filter(([, values]) => values !== '_')
  const scenario = {
    interval: '15s',
    input_series: input.map(([name, values]) => ({ series: labelled(name), values })),
    promql_expr_test: [expected],
  }
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '15s', tests: [scenario] }))
  const { status, stdout, stderr } = spawnSync(join(programs ?? '', 'promtool'), ['test', 'rules', file], {
    encoding: 'utf8',
  })
  // Nothing is expected: what it has found instead is what there is.
  if (status === 0) return []
  const [, got] = /got:(.*)/s.exec(stdout + stderr) ?? []
  if (got === undefined) throw new TypeError(stdout + stderr)
  return [...got.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name)
}

const rulesFile = fileURLToPath(new URL('alerts.yml', deployFolder))

describe('alerts', () => {
  given('default: promtool takes the rules and the configuration', () => {
    const prometheus = fileURLToPath(new URL('prometheus.yml', deployFolder))
    expect(promtool('check', 'config', prometheus)).toContain(`SUCCESS: ${alertRules().length} rules found`)
  })

  given.each(faults)('behavior: %s and no other: %s', (alert, _, series) => {
    expect(firing(rulesFile, series)).toEqual([alert])
  })

  given.each(harmless)('behavior: nothing for %s', (_, series) => {
    expect(firing(rulesFile, series)).toEqual([])
  })

  given('behavior: FirmquoteMemoryGrowing and no other: twice the memory of an hour ago', () => {
    const grows = (from: number, to: number): Series => ({
      process_resident_memory_bytes: `${from}+0x200 ${to}+0x${samples - 201}`,
    })
    expect(firing(rulesFile, grows(1e9, 2.1e9), 80)).toEqual(['FirmquoteMemoryGrowing'])
    expect(firing(rulesFile, grows(1e9, 1.9e9), 80)).toEqual([])
    expect(firing(rulesFile, grows(4e8, 9e8), 80)).toEqual([])
  })

  test('behavior: every alert has a fault here', () => {
    expect(new Set(alertRules().map(({ alert }) => alert))).toEqual(new Set(faults.map(([alert]) => alert)))
  })

  given('behavior: nothing is raised by a fault that passes at once', () => {
    const moment = (fault: number | string, calmly: number | string) => `${calmly}+0x78 ${fault} ${calmly}`
    expect(
      firing(rulesFile, { firmquote_database_writable: moment(0, 1), firmquote_nats_connected: moment(0, 1) }),
    ).toEqual([])
  })
})
