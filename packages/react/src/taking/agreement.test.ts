import type { Executability, TakeCall } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { judgeAgreement } from './agreement.ts'
import type { TakeStep } from './takeStep.ts'

const account = `0x${'a1'.repeat(20)}`
const call = (purpose: TakeCall['purpose'], data: TakeCall['data'] = '0x01'): TakeCall => ({
  purpose,
  to: `0x${'c1'.repeat(20)}`,
  data,
  value: 0n,
})
const [permit, take] = [call('permit'), call('take', '0x02')]
const agreed = { account, calls: [permit, take] }
const step: TakeStep = { step: 'permit', calls: [permit, take] }
const now = { account, step, isPending: false, isReady: true }

test('default: sends the remaining calls', () => {
  expect(judgeAgreement(agreed, now)).toBe('send')
  const last: TakeStep = { step: 'take', calls: [take] }
  expect(judgeAgreement({ account, calls: [take] }, { ...now, step: last })).toBe('send')
})

test('behavior: waits for the previous call and for the chain to be read', () => {
  expect(judgeAgreement(agreed, { ...now, isPending: true, isReady: false })).toBe('wait')
  for (const waiting of [{ step: 'wait' }, { step: 'unknown', error: new Error('silent') }] as const) {
    expect(judgeAgreement(agreed, { ...now, step: waiting, isReady: false })).toBe('wait')
    // The account is being requested from the wallet again.
    expect(judgeAgreement(agreed, { ...now, step: waiting, account: '', isReady: false })).toBe('wait')
  }
})

test.each<[string, TakeStep]>([
  ['a call was refused, so that more is left', { step: 'approve', amount: 1n, calls: [call('approve'), permit, take] }],
  ['less is left than was agreed to', { step: 'take', calls: [take] }],
  ['another call has taken the place of one', { step: 'permit', calls: [permit, call('take', '0x03')] }],
  ['another contract is called', { step: 'permit', calls: [{ ...permit, to: `0x${'c2'.repeat(20)}` }, take] }],
  ['a call sends a value', { step: 'permit', calls: [permit, { ...take, value: 1n }] }],
  ['the offer is gone', { step: 'dead', verdict: {} as Executability }],
  ['the money is gone', { step: 'fund', missing: 1n }],
  ['the wallet is disconnected', { step: 'connect' }],
  ['the wallet is on another network', { step: 'switchNetwork' }],
])('error: it ends where %s', (_what, changed) => {
  expect(judgeAgreement(agreed, { ...now, step: changed })).toBe('stop')
})

test('error: stops at once for another account, and when there is no time left', () => {
  const other = `0x${'b2'.repeat(20)}`
  expect(judgeAgreement(agreed, { ...now, account: other })).toBe('stop')
  expect(judgeAgreement(agreed, { ...now, account: other, step: { step: 'wait' } })).toBe('stop')
  expect(judgeAgreement(agreed, { ...now, account: other, isPending: true })).toBe('stop')
  expect(judgeAgreement(agreed, { ...now, isReady: false })).toBe('stop')
})
