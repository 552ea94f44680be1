import { expect, test } from '@jest/globals'
import { NotReadyError } from '../errors.ts'
import { actionStatus } from './action.ts'

const asked = { hash: '0x01', notional: 1n, cost: 1n, byKey: true, since: 1n } as const
const done = { isPending: false, job: { phase: { name: 'done' }, open: [] } } as const
const stopped = { isPending: false, job: { phase: { name: 'stopped', reason: 'nothing' }, open: [] } } as const
const ready = { isPending: false, job: { phase: { name: 'ready' }, open: [] } } as const
const confirmed = { state: 'confirmed', hash: '0x01', block: 1n, logs: [] } as const
const failed = { state: 'failed', error: new NotReadyError(), sentAs: null } as const

test('default: a job succeeds when it is done, and a transaction when it is confirmed', () => {
  expect(actionStatus({ state: 'idle' }, ready)).toBe('idle')
  expect(actionStatus(confirmed, { ...done, isPending: true })).toBe('pending')
  expect(actionStatus(confirmed, done)).toBe('success')
  expect(actionStatus(confirmed, { isPending: false })).toBe('success')
  // A reload has interrupted the job after its first transaction.
  expect(actionStatus(confirmed, ready)).toBe('idle')
})

test('error: a failure, a revert, and a job that stopped before its end', () => {
  expect(actionStatus(failed, ready)).toBe('error')
  expect(actionStatus({ state: 'reverted', hash: '0x01', block: 1n }, ready)).toBe('error')
  expect(actionStatus(confirmed, stopped)).toBe('error')
})

test('behavior: a quote with an unknown outcome is pending, but not one that the account refused', () => {
  const open = (isRefused: boolean) => ({
    isPending: false,
    job: { phase: { name: 'unknown' }, open: [{ ...asked, isRefused }] } as const,
  })
  expect(actionStatus({ state: 'idle' }, open(false))).toBe('pending')
  expect(actionStatus({ state: 'idle' }, open(true))).toBe('idle')
  expect(actionStatus(failed, open(false))).toBe('error')
})
