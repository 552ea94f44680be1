import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPrometheus } from '@firmquote/cluster/findPrograms'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { alertRules, deployFolder } from '../../test/alertRules.ts'

// Evaluates the alerts with Prometheus's promtool. Each fault's series must trigger that fault's alert and no other,
// even if the fault has consequences.

const programs = findPrometheus()
const given = programs ? test : test.skip
const promtool = (...args: string[]) =>
  execFileSync(join(programs ?? '', 'promtool'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const rulesFile = fileURLToPath(new URL('alerts.yml', deployFolder))
useFolder(beforeAll, afterAll)

/** Each series' values in promtool's notation, at 15-second intervals. */
type Series = Record<string, string>

/** The minute at which alerts are evaluated, and the number of samples. */
const [minutes, samples] = [20, 4 * 90]
const steady = (value: number | string) => `${value}+0x${samples}`
const growing = (step: number, from = 0) => `${from}${step < 0 ? '' : '+'}${step}x${samples}`

/** A nearly idle server's series: one request, one quote and one write per second. */
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
  firmquote_rpc_node_preferred: steady(1),
  firmquote_rpc_nodes_disagree: steady(0),
  'firmquote_limit{setting="HEAD_STALE_SECONDS"}': steady(30),
  'firmquote_limit{setting="RUNNING_JUDGEMENTS"}': steady(2_000),
  'firmquote_limit{setting="OPEN_AUCTIONS"}': steady(200),
  'firmquote_chain_block{of="node"}': growing(7, 1_000),
  'firmquote_chain_block{of="store"}': growing(7, 999),
  firmquote_backers_connected: steady(5),
  firmquote_checkpoint_overdue_seconds: steady(3_600),
  firmquote_proof_log_waiting_entries: steady(0),
  firmquote_proof_log_checkpoint_age_seconds: steady(3_600),
  firmquote_clock_steps_total: steady(2),
  firmquote_clock_offset_seconds: steady(0.9),
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
const unpublished: Series = { firmquote_proof_log_waiting_entries: steady(2) }
const gone: Series = { firmquote_database_readable: steady(0), firmquote_database_writable: steady(0) }
const notWritable: Series = { firmquote_database_writable: steady(0) }
const damaged: Series = { ...gone, firmquote_database_whole: steady(0) }

const resident = (from: number, to: number): Series => ({
  process_resident_memory_bytes: `${from}+0x200 ${to}+0x${samples - 201}`,
})
const moment = (fault: number, calmly: number) => `${calmly}+0x78 ${fault} ${calmly}`

/** For each fault, the series that are not normal. `_` is a missing value. */
const faults: [alert: string, name: string, series: Series, at?: number | undefined][] = [
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
  ['FirmquoteNodesDisagree', 'its nodes have different finalized blocks', { firmquote_rpc_nodes_disagree: steady(1) }],
  [
    'FirmquoteNodesDisagree',
    'the same, and all that follows',
    { ...aging, firmquote_rpc_nodes_disagree: steady(1), firmquote_rpc_node_preferred: steady(0) },
  ],
  ['FirmquoteNodeNotPreferred', 'another node is in use', { firmquote_rpc_node_preferred: steady(0) }],
  ['FirmquoteNodeStale', 'no node works', { ...aging, firmquote_rpc_node_preferred: steady(0) }],
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
    80,
  ],
  ['FirmquoteNatsGone', 'NATS is gone', { firmquote_nats_connected: steady(0) }],
  ['FirmquoteMakersGone', 'the makers leave', makersLeave],
  [
    'FirmquoteMakersGone',
    'a maker was connected for a moment within the hour',
    { firmquote_backers_connected: `0+0x78 1 0+0x${samples - 80}` },
    75,
  ],
  ['FirmquoteNoMakers', 'the makers left more than an hour ago', makersLeave, 80],
  ['FirmquoteNoMakers', 'no maker has ever connected', { firmquote_backers_connected: steady(0) }, 62],
  [
    'FirmquoteCheckpointMissing',
    'a series expired an hour ago',
    { firmquote_checkpoint_overdue_seconds: steady(3_601) },
  ],
  ['FirmquoteNodeStale', 'the same', { ...aging, firmquote_checkpoint_overdue_seconds: steady(3_601) }],
  ['FirmquoteLogStalled', 'entries wait for a checkpoint', unpublished],
  ['FirmquoteDiskFull', 'the same', { ...notWritable, ...unpublished }],
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
  ['FirmquoteClockStepped', 'the clock is stepped', { firmquote_clock_steps_total: `2+0x70 3+0x${samples - 71}` }],
  ['FirmquoteClockStepped', 'the clock is ahead', { firmquote_clock_offset_seconds: steady(-1.1) }],
  ['FirmquoteClockStepped', 'the clock is behind', { firmquote_clock_offset_seconds: steady(1.1) }],
  ['FirmquoteMemoryGrowing', 'a heap is nearly full', { 'firmquote_thread_heap_bytes{thread="main"}': steady(3.3e9) }],
  ['FirmquoteMemoryGrowing', 'twice the memory of an hour ago', resident(1e9, 2.2e9), 80],
]

/** Scenarios that come close to a rule's threshold without triggering an alert. */
const harmless: [name: string, series: Series, at?: number | undefined][] = [
  ['a calm server', {}],
  [
    'one without NATS, whose data is being looked at',
    { firmquote_nats_connected: steady('NaN'), firmquote_database_whole: steady('NaN'), ...notWritable },
  ],
  ['one that has no maker in its first hour', { firmquote_backers_connected: steady(0) }, 60],
  ['one that does not follow the chain', { firmquote_checkpoint_overdue_seconds: steady('NaN') }],
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
  ['one whose preferred node is away for nine minutes', { firmquote_rpc_node_preferred: `1+0x44 0+0x${samples - 45}` }],
  ['one that uses more than an hour ago', resident(1e9, 1.9e9), 80],
  ['one that has just filled its caches', resident(4e8, 9e8), 80],
  ['one that has just been installed', { firmquote_database_free_bytes: growing(-15 * 1e6, 43e9) }],
  [
    'one whose database and NATS are gone for a moment',
    { firmquote_database_writable: moment(0, 1), firmquote_nats_connected: moment(0, 1) },
  ],
]

/** Returns a series name with the labels that Prometheus adds. */
function labelled(name: string): string {
  const [, metric = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? []
  return `${metric}{${[labels, 'job="firmquote"', 'instance="127.0.0.1:3005"'].filter((text) => text !== '').join(',')}}`
}

/** Alerts firing at the end of each scenario, by scenario number. */
function firing(scenarios: readonly (readonly [series: Series, at?: number | undefined])[]): string[][] {
  const file = join(folder, 'test.yml')
  const tests = scenarios.map(([series, at = minutes], number) => ({
    interval: '15s',
    input_series: Object.entries({ ...calm, ...series })
      .filter(([, values]) => values !== '_')
      .map(([name, values]) => ({ series: labelled(name), values })),
    // If the test expects no alerts, promtool prints those it found. The number identifies the scenario.
    promql_expr_test: [
      {
        expr: `group by (alertname) (ALERTS{alertstate="firing",alertname!="scenario-${number}"})`,
        eval_time: `${at}m`,
      },
    ],
  }))
  // The file contains JSON, because JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '30s', tests }))
  const { stdout, stderr } = spawnSync(join(programs ?? '', 'promtool'), ['test', 'rules', file], { encoding: 'utf8' })
  const found = scenarios.map((): string[] => [])
  for (const part of (stdout + stderr).split('expr: ').slice(1)) {
    const [, number, got] = /scenario-(\d+).*got:(.*)/s.exec(part) ?? []
    const names = [...(got ?? '').matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name)
    if (names.length === 0) throw new TypeError(part)
    found[Number(number)] = names
  }
  if (!/SUCCESS|FAILED:\s+expr/.test(stdout + stderr)) throw new TypeError(stdout + stderr)
  return found
}

describe('alerts', () => {
  given('default: promtool takes the rules and the configuration', () => {
    const prometheus = fileURLToPath(new URL('prometheus.yml', deployFolder))
    expect(promtool('check', 'config', prometheus)).toContain(`SUCCESS: ${alertRules().length} rules found`)
  })

  given('behavior: runbook links start with the external label firmquote_url', () => {
    const [down] = alertRules()
    const link = (firmquote_url: string) => {
      const alert = {
        exp_labels: { severity: 'page', job: 'firmquote', instance: '127.0.0.1:3005' },
        exp_annotations: {
          summary: '127.0.0.1:3005 has been unreachable for a minute.',
          runbook_url: 'https://rfq.example.com/learn/operate/incidents/firmquote-down',
        },
      }
      const scenario = {
        interval: '15s',
        external_labels: { firmquote_url },
        input_series: [{ series: labelled('up'), values: steady(0) }],
        alert_rule_test: [{ alertname: down?.alert, eval_time: '5m', exp_alerts: [alert] }],
      }
      const file = join(folder, 'links.yml')
      writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '30s', tests: [scenario] }))
      return spawnSync(join(programs ?? '', 'promtool'), ['test', 'rules', file], { encoding: 'utf8' })
    }
    const { global } = parse(readFileSync(new URL('prometheus.yml', deployFolder), 'utf8'))
    expect(link(global.external_labels.firmquote_url)).toMatchObject({ status: 0 })
    expect(link('https://other.example.com')).toMatchObject({ status: 1 })
  })

  const scenarios = [
    ...faults.map(([, , series, at]) => [series, at] as const),
    ...harmless.map(([, series, at]) => [series, at] as const),
  ]
  let found: string[][] = []
  beforeAll(() => {
    if (programs) found = firing(scenarios)
  })

  given.each(faults.map(([alert, name], index) => [alert, name, index] as const))(
    'behavior: %s and no other: %s',
    (alert, _, index) => expect(found[index]).toEqual([alert]),
  )

  given.each(harmless.map(([name], index) => [name, faults.length + index] as const))(
    'behavior: nothing for %s',
    (_, index) => expect(found[index]).toEqual([]),
  )

  test('behavior: every alert has a fault here', () => {
    expect(new Set(alertRules().map(({ alert }) => alert))).toEqual(new Set(faults.map(([alert]) => alert)))
  })
})
