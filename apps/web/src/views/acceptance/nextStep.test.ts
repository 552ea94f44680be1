import { expect, test } from '@jest/globals'
import { nextStep } from './nextStep.ts'
import { exampleVerdict } from './testing/exampleVerdict.ts'

const read = (verdict: ReturnType<typeof exampleVerdict> | undefined, failed = false, atomic = false) => ({
  verdict,
  failed,
  atomic,
})

test('default', () => {
  expect(nextStep('ready', read(exampleVerdict()))).toEqual({ step: 'take' })
})

test('behavior: a wallet on the right network comes before everything', () => {
  expect(nextStep('none', read(exampleVerdict()))).toEqual({ step: 'connect' })
  expect(nextStep('wrongNetwork', read(exampleVerdict()))).toEqual({ step: 'switchNetwork' })
  expect(nextStep('connecting', read(undefined))).toEqual({ step: 'wait' })
  expect(nextStep('ready', read(undefined))).toEqual({ step: 'wait' })
})

test('behavior: unknown is never fine, whatever was known before', () => {
  expect(nextStep('ready', read(exampleVerdict(), true))).toEqual({ step: 'unknown' })
})

test('behavior: money, then the allowance for exactly the cost, then the permission', () => {
  const lacks = (...missing: ('balance' | 'allowance' | 'operator')[]) =>
    nextStep('ready', read(exampleVerdict({ borrower: { ok: false, missing, allowance: 77n } })))
  expect(lacks('balance', 'allowance', 'operator')).toEqual({ step: 'fund' })
  expect(lacks('allowance', 'operator')).toEqual({ step: 'approve', amount: 4_102_637_569n, allowance: 77n })
  expect(lacks('operator')).toEqual({ step: 'permit' })
})

test('behavior: a wallet that sends several calls as one gives what is missing and takes in one step', () => {
  const lacks = (...missing: ('balance' | 'allowance' | 'operator')[]) =>
    nextStep('ready', read(exampleVerdict({ borrower: { ok: false, missing } }), false, true))
  expect(lacks('allowance', 'operator')).toEqual({ step: 'takeTogether' })
  expect(lacks('operator')).toEqual({ step: 'takeTogether' })
  expect(lacks('balance', 'allowance')).toEqual({ step: 'fund' })
  expect(nextStep('ready', read(exampleVerdict(), false, true))).toEqual({ step: 'take' })
  const dead = exampleVerdict({ terms: { ok: false }, borrower: { ok: false, missing: ['allowance'] } })
  expect(nextStep('ready', read(dead, false, true))).toEqual({ step: 'dead' })
})

test('behavior: nothing is sent for a quote that is dead', () => {
  for (const name of ['deadline', 'nonceAndStatus', 'makerFunds', 'terms', 'preview'] as const) {
    const verdict = exampleVerdict({ [name]: { ok: false }, borrower: { ok: false, missing: ['allowance'] } })
    expect(nextStep('ready', read(verdict))).toEqual({ step: 'dead' })
  }
})
