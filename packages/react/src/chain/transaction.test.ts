import { expect, test } from '@jest/globals'
import {
  isNewerThan,
  isTransactionPending,
  stepTransaction,
  type Transaction,
  type TransactionEvent,
} from './transaction.ts'

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

test('default: a batch has an id before it has a transaction', () => {
  const called = run({ type: 'asked' }, { type: 'called', id: '0x1' })
  expect(called).toEqual({ state: 'called', id: '0x1' })
  expect(isTransactionPending(called)).toBe(true)
  expect(stepTransaction(called, { type: 'sent', hash: a })).toEqual({ state: 'sent', hash: a })
  const error = new Error('gone')
  // Dropped calls were never sent. If the wallet does not respond, the outcome of the calls is unknown.
  expect(stepTransaction(called, { type: 'dropped', error })).toEqual({ state: 'failed', error, sentAs: null })
  expect(stepTransaction(called, { type: 'failed', error })).toEqual({ state: 'failed', error, sentAs: '0x1' })
})

test('behavior: only one transaction at a time', () => {
  expect(run({ type: 'sent', hash: a }, { type: 'asked' })).toEqual({ state: 'sent', hash: a })
  expect(isTransactionPending(run({ type: 'asked' }))).toBe(true)
  expect(isTransactionPending(run({ type: 'asked' }, { type: 'failed', error: declined }))).toBe(false)
})

test('behavior: a rejected transaction can be retried', () => {
  expect(run({ type: 'asked' }, { type: 'failed', error: declined }, { type: 'asked' })).toEqual({ state: 'asking' })
})

test('behavior: ignores events for a replaced transaction', () => {
  expect(run({ type: 'sent', hash: a }, { type: 'sent', hash: b }, mined)).toEqual({ state: 'sent', hash: b })
})

test('behavior: an unanswered request can be given up, but a sent transaction cannot', () => {
  expect(run({ type: 'asked' }, { type: 'givenUp' })).toEqual({ state: 'idle' })
  expect(run({ type: 'asked' }, { type: 'givenUp' }, { type: 'sent', hash: a })).toEqual({ state: 'sent', hash: a })
  expect(run({ type: 'sent', hash: a }, { type: 'givenUp' })).toEqual({ state: 'sent', hash: a })
  expect(run({ type: 'called', id: '0x1' }, { type: 'givenUp' })).toEqual({ state: 'called', id: '0x1' })
})

test('error: reverted, and lost', () => {
  expect(run({ type: 'sent', hash: a }, { ...mined, ok: false })).toEqual({ state: 'reverted', hash: a, block: 7n })
  expect(run({ type: 'sent', hash: a }, { type: 'failed', error: declined })).toEqual({
    state: 'failed',
    error: declined,
    sentAs: a,
  })
})

test('behavior: tracks a repriced transaction', () => {
  const replaced = { type: 'replaced', hash: a, by: b, same: true } as const
  expect(run({ type: 'sent', hash: a }, replaced)).toEqual({ state: 'sent', hash: b })
  expect(run({ type: 'sent', hash: a }, replaced, { ...mined, hash: b })).toMatchObject({ state: 'confirmed', hash: b })
})

test('behavior: ignores the replacement of another transaction', () => {
  const replaced = { type: 'replaced', hash: b, by: b, same: true } as const
  expect(run({ type: 'sent', hash: a }, replaced)).toEqual({ state: 'sent', hash: a })
})

test('error: a cancelled transaction is not confirmed by its replacement', () => {
  const replaced = { type: 'replaced', hash: a, by: b, same: false } as const
  const events = [{ type: 'sent', hash: a }, replaced, { ...mined, hash: b }] as const
  expect(run(...events)).toMatchObject({ state: 'failed', error: { code: 'TRANSACTION_REPLACED' }, sentAs: null })
  expect(run({ type: 'asked' }, replaced)).toEqual({ state: 'asking' })
})

test('behavior: a reading includes it from its block on', () => {
  const confirmed = run({ type: 'sent', hash: a }, mined)
  expect([undefined, 6n, 7n, 8n].map((block) => isNewerThan(confirmed, block))).toEqual([true, true, false, false])
  expect(isNewerThan(run({ type: 'sent', hash: a }, { ...mined, ok: false }), 6n)).toBe(false)
})
