import { describe, expect, test } from '@jest/globals'
import { judgeState, type QuoteState } from './judgeState.ts'
import { account, vectorQuote } from './testing/quoteArbitrary.ts'

const now = 1_767_225_600n
const hash = `0x${'ab'.repeat(32)}` as const
const state: QuoteState = {
  block: { number: 7n, hash, timestamp: now - 2n },
  hash,
  makerNonce: 0n,
  status: 'open',
  loanToken: '0x3333333333333333333333333333333333333333',
  series: { poolId: vectorQuote.poolId, expiry: Number(now) + 1, cap: 10n ** 15n, outstanding: 0n },
  capacity: vectorQuote.notional,
  balance: vectorQuote.notional,
  allowance: vectorQuote.notional,
  recovered: account.address,
  preview: null,
}
const executable = { executable: true, reason: '', borrowerCost: vectorQuote.vrtAmount }
const notExecutable = (reason: string) => ({ executable: false, reason, borrowerCost: 0n })
const series = state.series as NonNullable<QuoteState['series']>

describe('judgeState', () => {
  test('default: at every limit exactly', () => {
    expect(judgeState(vectorQuote, state, now)).toBeNull()
  })

  test('behavior: the deadline itself is in time', () => {
    const long = { ...state, series: { ...series, expiry: Number(vectorQuote.deadline) + 1 } }
    expect(judgeState(vectorQuote, long, vectorQuote.deadline)).toBeNull()
    expect(judgeState(vectorQuote, long, vectorQuote.deadline + 1n)?.code).toBe('DEADLINE_PASSED')
  })

  test('behavior: a contract may accept what ecrecover does not (ERC-1271)', () => {
    expect(judgeState(vectorQuote, { ...state, recovered: null, preview: executable }, now)).toBeNull()
  })

  test('behavior: the contract looks at the signature before the funds', () => {
    const preview = notExecutable('INSUFFICIENT_BALANCE')
    const poor = { ...state, recovered: null, preview, balance: 0n }
    expect(judgeState(vectorQuote, poor, now)?.code).toBe('INSUFFICIENT_BALANCE')
  })

  test.each<[string, Partial<QuoteState>]>([
    ['NONCE_MISMATCH', { makerNonce: 1n }],
    ['QUOTE_FILLED', { status: 'filled' }],
    ['QUOTE_CANCELLED', { status: 'cancelled' }],
    ['POOL_NOT_FOUND', { loanToken: null, series: null }],
    ['SERIES_NOT_FOUND', { series: null }],
    ['SERIES_NOT_FOUND', { series: { ...series, poolId: hash } }],
    ['SERIES_EXPIRED', { series: { ...series, expiry: Number(now) } }],
    ['CAPACITY_EXCEEDED', { capacity: vectorQuote.notional - 1n }],
    ['BAD_SIGNATURE', { recovered: null }],
    ['BAD_SIGNATURE', { recovered: '0x4444444444444444444444444444444444444444' }],
    ['BAD_SIGNATURE', { recovered: null, preview: notExecutable('BAD_SIGNATURE') }],
    ['INSUFFICIENT_BALANCE', { balance: vectorQuote.notional - 1n }],
    ['INSUFFICIENT_ALLOWANCE', { allowance: vectorQuote.notional - 1n }],
    ['NOT_EXECUTABLE', { preview: notExecutable('PAUSED') }],
  ])('error: %s', (code, change) => {
    expect(judgeState(vectorQuote, { ...state, ...change }, now)).toMatchObject({ code })
  })

  test('error: a quote of nothing', () => {
    const rejection = judgeState({ ...vectorQuote, notional: 0n }, state, now)
    expect(rejection).toEqual({ code: 'NOT_EXECUTABLE', reason: 'NOTIONAL_ZERO' })
  })

  test('behavior: the later of clock and block decides what has passed', () => {
    const late = { ...state.block, timestamp: vectorQuote.deadline + 1n }
    expect(judgeState(vectorQuote, { ...state, block: late }, now)?.code).toBe('DEADLINE_PASSED')
    expect(judgeState(vectorQuote, state, vectorQuote.deadline + 1n)?.code).toBe('DEADLINE_PASSED')
  })
})
