import { expect, test } from '@jest/globals'
import { isNewerThan, isUnderWay, stepTransaction, type Transaction, type TransactionEvent } from './transaction.ts'

const [a, b] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`] as const
const mined = { type: 'mined', hash: a, ok: true, block: 7n, logs: [] } as const
const declined = new Error('declined')

function run(...events: TransactionEvent[]): Transaction {
  return events.reduce(stepTransaction, { state: 'idle' })
}

test('default', () => {
  expect(run({ type: 'asked' })).toEqual({ state: 'asking' })
  expect(run({ type: 'asked' }, { type: 'sent', hash: a })).toEqual({ state: 'sent', hash: a })
  expect(run({ type: 'asked' }, { type: 'sent', hash: a }, mined)).toMatchObject({ state: 'confirmed', block: 7n })
})

test('behavior: only one at a time', () => {
  expect(run({ type: 'sent', hash: a }, { type: 'asked' })).toEqual({ state: 'sent', hash: a })
  expect(isUnderWay(run({ type: 'asked' }))).toBe(true)
  expect(isUnderWay(run({ type: 'asked' }, { type: 'failed', error: declined }))).toBe(false)
})

test('behavior: what was declined can be tried again', () => {
  expect(run({ type: 'asked' }, { type: 'failed', error: declined }, { type: 'asked' })).toEqual({ state: 'asking' })
})

test('behavior: the news of a replaced transaction does not count', () => {
  expect(run({ type: 'sent', hash: a }, { type: 'sent', hash: b }, mined)).toEqual({ state: 'sent', hash: b })
})

test('error: in a block without effect, and lost', () => {
  expect(run({ type: 'sent', hash: a }, { ...mined, ok: false })).toEqual({ state: 'reverted', hash: a, block: 7n })
  expect(run({ type: 'sent', hash: a }, { type: 'failed', error: declined })).toEqual({
    state: 'failed',
    error: declined,
    hash: a,
  })
})

test('behavior: the same for a higher fee is followed', () => {
  const replaced = { type: 'replaced', hash: a, by: b, same: true } as const
  expect(run({ type: 'sent', hash: a }, replaced)).toEqual({ state: 'sent', hash: b })
  expect(run({ type: 'sent', hash: a }, replaced, { ...mined, hash: b })).toMatchObject({ state: 'confirmed', hash: b })
})

test('behavior: the replacement of another transaction changes nothing', () => {
  const replaced = { type: 'replaced', hash: b, by: b, same: true } as const
  expect(run({ type: 'sent', hash: a }, replaced)).toEqual({ state: 'sent', hash: a })
})

test('error: what was cancelled in the wallet is not confirmed by what went in its place', () => {
  const replaced = { type: 'replaced', hash: a, by: b, same: false } as const
  const events = [{ type: 'sent', hash: a }, replaced, { ...mined, hash: b }] as const
  expect(run(...events)).toMatchObject({ state: 'failed', hash: null })
  expect(run({ type: 'asked' }, replaced)).toEqual({ state: 'asking' })
})

test('behavior: a reading knows of it from its own block on', () => {
  const confirmed = run({ type: 'sent', hash: a }, mined)
  expect([undefined, 6n, 7n, 8n].map((block) => isNewerThan(confirmed, block))).toEqual([true, true, false, false])
  expect(isNewerThan(run({ type: 'sent', hash: a }, { ...mined, ok: false }), 6n)).toBe(false)
})
