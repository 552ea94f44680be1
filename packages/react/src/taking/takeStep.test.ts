import { ChainUnavailableError, type Executability } from '@firmquote/sdk'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { nextTakeStep, type TakeReading } from './takeStep.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const contracts = { quoteMarket: address('a'), interestRatePool: address('b') }
const loanToken = address('c')
const signed = exampleQuote({ vrtAmount: 4_102n })

type Missing = Executability['checks'][5]['missing']
type Given = { dead?: string; missing?: Missing; allowance?: bigint }

/** A verdict in which every check passes, apart from the given faults. */
function verdictOf({ dead, missing = [], allowance = 4_102n }: Given = {}): Executability {
  const ok = (name: string) => ({ name, ok: name !== dead })
  const checks = [
    ok('deadline'),
    ok('nonceAndStatus'),
    { ...ok('makerFunds'), loanToken },
    ok('terms'),
    ok('preview'),
    {
      name: 'borrower',
      ok: missing.length === 0 && dead !== 'borrower',
      balance: missing.includes('balance') ? 4_002n : 5_000n,
      allowance: missing.includes('allowance') && allowance === 4_102n ? 0n : allowance,
      isOperator: !missing.includes('operator'),
      missing,
    },
  ] as unknown as Executability['checks']
  const block = { number: 474n, hash: `0x${'cd'.repeat(32)}`, timestamp: 1_795_254_800n } as const
  return { executable: checks.every((check) => check.ok), block, cost: 4_102n, checks }
}

const read = (verdict: Executability | undefined, more: Partial<TakeReading> = {}): TakeReading => ({
  quotes: [signed],
  verdict,
  error: null,
  atomic: false,
  contracts,
  ...more,
})
/** The step and the remaining calls. */
const stepOf = (given: Given, more: Partial<TakeReading> = {}) => {
  const next = nextTakeStep('ready', read(verdictOf(given), more))
  return [next.step, 'calls' in next ? next.calls.map(({ purpose }) => purpose) : null]
}

test('default', () => {
  const next = nextTakeStep('ready', read(verdictOf()))
  expect(next).toMatchObject({ step: 'take', calls: [{ purpose: 'take', to: contracts.quoteMarket, value: 0n }] })
})

test('behavior: requires a wallet on the right network first', () => {
  const error = new ChainUnavailableError('no answer')
  expect(nextTakeStep('none', read(verdictOf(), { error }))).toEqual({ step: 'connect' })
  expect(nextTakeStep('wrongNetwork', read(verdictOf(), { error }))).toEqual({ step: 'switchNetwork' })
  expect(nextTakeStep('connecting', read(verdictOf()))).toEqual({ step: 'wait' })
  expect(nextTakeStep('ready', read(undefined))).toEqual({ step: 'wait' })
})

test('behavior: a failed read is unknown, whatever was read before', () => {
  const error = new ChainUnavailableError('no answer')
  expect(nextTakeStep('ready', read(verdictOf(), { error }))).toEqual({ step: 'unknown', error })
})

test('behavior: balance, then an allowance of exactly the cost, then the permission, then the take', () => {
  expect(nextTakeStep('ready', read(verdictOf({ missing: ['balance', 'allowance', 'operator'] })))).toEqual({
    step: 'fund',
    missing: 100n,
  })
  expect(stepOf({ missing: ['allowance', 'operator'] })).toEqual(['approve', ['approve', 'permit', 'take']])
  expect(nextTakeStep('ready', read(verdictOf({ missing: ['allowance'] })))).toMatchObject({ amount: 4_102n })
  expect(stepOf({ missing: ['operator'] })).toEqual(['permit', ['permit', 'take']])
})

test('behavior: resets an earlier allowance first', () => {
  const given = { missing: ['allowance', 'operator'], allowance: 77n } as const
  expect(stepOf(given)).toEqual(['reset', ['reset', 'approve', 'permit', 'take']])
  expect(nextTakeStep('ready', read(verdictOf(given)))).toMatchObject({ allowance: 77n })
})

test('behavior: an atomic batch grants what is missing and takes in one step', () => {
  const atomic = true
  expect(stepOf({ missing: ['allowance', 'operator'] }, { atomic })).toEqual([
    'takeTogether',
    ['approve', 'permit', 'take'],
  ])
  expect(stepOf({ missing: ['operator'] }, { atomic })).toEqual(['takeTogether', ['permit', 'take']])
  expect(stepOf({ missing: ['balance', 'allowance'] }, { atomic })).toEqual(['fund', null])
  expect(stepOf({}, { atomic })).toEqual(['take', ['take']])
  expect(stepOf({ dead: 'terms', missing: ['allowance'] }, { atomic })).toEqual(['dead', null])
})

test('behavior: nothing is sent for a dead quote', () => {
  for (const dead of ['deadline', 'nonceAndStatus', 'makerFunds', 'terms', 'preview']) {
    expect(stepOf({ dead })).toEqual(['dead', null])
    expect(stepOf({ dead, missing: ['balance'] })).toEqual(['dead', null])
    expect(stepOf({ dead, missing: ['allowance'] })).toEqual(['dead', null])
  }
  expect(stepOf({ dead: 'borrower' })).toEqual(['dead', null])
})
