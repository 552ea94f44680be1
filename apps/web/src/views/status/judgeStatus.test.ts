import type { ServiceHealth } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { judgeStatus, noteChanges } from './judgeStatus.ts'

const well: ServiceHealth = {
  status: 'ok',
  database: 'ok',
  sync: { head: 10, synced: 10, lagSeconds: 2 },
  backers: { connected: 3 },
  auctions: { open: 0 },
  version: '1.0.0',
}
const fine = { service: 'ok', database: 'ok', node: 'ok', sync: 'ok', clock: 'ok', makers: 'ok' }

describe('judgeStatus', () => {
  test.each<[string, Partial<ServiceHealth>, object]>([
    ['works', {}, {}],
    ['has no makers', { backers: { connected: 0 } }, { makers: 'degraded' }],
    ['has no database', { status: 'down', database: 'down' }, { service: 'down', database: 'down' }],
    [
      'cannot reach its node',
      { status: 'degraded', sync: { head: null, synced: 10, lagSeconds: 90 } },
      { service: 'degraded', node: 'down' },
    ],
    [
      'lags behind the chain',
      { status: 'degraded', sync: { head: 99, synced: 10, lagSeconds: 90 } },
      { service: 'degraded', sync: 'degraded' },
    ],
    [
      'has a slow clock',
      { status: 'degraded', sync: { head: 10, synced: 10, lagSeconds: -31 } },
      { service: 'degraded', clock: 'degraded' },
    ],
    ['has a clock at the tolerance', { sync: { head: 10, synced: 10, lagSeconds: -30 } }, {}],
    [
      'has not synced',
      { status: 'down', sync: { head: 10, synced: null, lagSeconds: null } },
      { service: 'down', sync: 'down' },
    ],
  ])('default: a service that %s', (_what, health, differences) => {
    expect(judgeStatus({ ...well, ...health })).toEqual({ ...fine, ...differences })
  })

  test('behavior: without a response, only the service is down', () => {
    const others = { database: 'unknown', node: 'unknown', sync: 'unknown', clock: 'unknown', makers: 'unknown' }
    expect(judgeStatus(null)).toEqual({ service: 'down', ...others })
    expect(judgeStatus(undefined)).toEqual({ service: 'unknown', ...others })
  })
})

test('behavior: a state has a time from its first change on', () => {
  const first = noteChanges({}, judgeStatus(well), 1_000)
  expect(first.makers).toEqual({ state: 'ok', at: null })
  expect(noteChanges(first, judgeStatus(well), 2_000)).toBe(first)
  const second = noteChanges(first, judgeStatus({ ...well, backers: { connected: 0 } }), 3_000)
  expect(second.makers).toEqual({ state: 'degraded', at: 3_000 })
  expect(second.service).toBe(first.service)
})
