import { describe, expect, test } from '@jest/globals'
import { account, vectorQuote } from '../../test/quoteArbitrary.ts'
import { isSignedByMaker, judgeState, type QuoteState } from './judgeState.ts'
import type { Rejection } from './rejection.ts'

const now = 1_767_225_600n
const otherSigner = '0x4444444444444444444444444444444444444444'
const { poolId, seriesKey, notional } = vectorQuote
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

  test('behavior: the deadline itself is still valid', () => {
    const long = { ...state, series: { ...series, expiry: Number(vectorQuote.deadline) + 1 } }
    expect(judgeState(vectorQuote, long, vectorQuote.deadline)).toBeNull()
    expect(judgeState(vectorQuote, long, vectorQuote.deadline + 1n)?.code).toBe('DEADLINE_PASSED')
  })

  test('behavior: a contract may accept what ecrecover does not (ERC-1271)', () => {
    expect(judgeState(vectorQuote, { ...state, recovered: null, preview: executable }, now)).toBeNull()
  })

  test('behavior: a contract without funds has still accepted the signature (ERC-1271)', () => {
    const poor = (reason: string, change: Partial<QuoteState>) =>
      judgeState(vectorQuote, { ...state, recovered: null, preview: notExecutable(reason), ...change }, now)?.code
    expect(poor('INSUFFICIENT_BALANCE', { balance: 0n })).toBe('INSUFFICIENT_BALANCE')
    expect(poor('INSUFFICIENT_ALLOWANCE', { allowance: 0n })).toBe('INSUFFICIENT_ALLOWANCE')
    expect(poor('PAUSED', { balance: 0n })).toBe('BAD_SIGNATURE')
  })

  test('behavior: compares pools and makers case-insensitively', () => {
    const poolId = `0x${'ab'.repeat(32)}` as const
    const upper = { ...series, poolId: `0x${'AB'.repeat(32)}` as const }
    const lower = account.address.toLowerCase() as typeof account.address
    expect(judgeState({ ...vectorQuote, poolId }, { ...state, series: upper, recovered: lower }, now)).toBeNull()
  })

  test.each<[Partial<QuoteState>, Rejection]>([
    [{ makerNonce: 1n }, { code: 'NONCE_MISMATCH', nonce: 0n, makerNonce: 1n }],
    [{ status: 'filled' }, { code: 'QUOTE_FILLED', hash }],
    [{ status: 'cancelled' }, { code: 'QUOTE_CANCELLED', hash }],
    [
      { loanToken: null, series: null },
      { code: 'POOL_NOT_FOUND', poolId },
    ],
    [{ series: null }, { code: 'SERIES_NOT_FOUND', poolId, seriesKey, available: null }],
    [{ series: { ...series, poolId: hash } }, { code: 'SERIES_NOT_FOUND', poolId, seriesKey, available: null }],
    [{ series: { ...series, expiry: Number(now) } }, { code: 'SERIES_EXPIRED', seriesKey, expiry: Number(now) }],
    [{ capacity: notional - 1n }, { code: 'CAPACITY_EXCEEDED', notional, capacity: notional - 1n }],
    [{ recovered: null }, { code: 'BAD_SIGNATURE', digest: hash, recovered: null, cause: null }],
    [{ recovered: otherSigner }, { code: 'BAD_SIGNATURE', digest: hash, recovered: otherSigner, cause: null }],
    [
      { recovered: null, preview: notExecutable('BAD_SIGNATURE') },
      { code: 'BAD_SIGNATURE', digest: hash, recovered: null, cause: null },
    ],
    [{ balance: notional - 1n }, { code: 'INSUFFICIENT_BALANCE', balance: notional - 1n, needed: notional }],
    [{ allowance: notional - 1n }, { code: 'INSUFFICIENT_ALLOWANCE', allowance: notional - 1n, needed: notional }],
    [{ preview: notExecutable('PAUSED') }, { code: 'NOT_EXECUTABLE', reason: 'PAUSED' }],
  ])('error: %p is %p', (change, rejection) => {
    expect(judgeState(vectorQuote, { ...state, ...change }, now)).toEqual(rejection)
  })

  test('error: a quote of nothing', () => {
    const rejection = judgeState({ ...vectorQuote, notional: 0n }, state, now)
    expect(rejection).toEqual({ code: 'NOT_EXECUTABLE', reason: 'NOTIONAL_ZERO' })
  })

  test('behavior: the series of a late block expires by the block', () => {
    const block = { ...state.block, timestamp: now + 1n }
    expect(judgeState(vectorQuote, { ...state, block }, now)?.code).toBe('SERIES_EXPIRED')
  })

  test('behavior: judges expiry by the later of clock and block', () => {
    const late = { ...state.block, timestamp: vectorQuote.deadline + 1n }
    const rejection = { code: 'DEADLINE_PASSED', deadline: vectorQuote.deadline, limit: late.timestamp }
    expect(judgeState(vectorQuote, { ...state, block: late }, now)).toEqual(rejection)
    expect(judgeState(vectorQuote, state, late.timestamp)).toEqual(rejection)
  })

  test('behavior: a quote can be taken in the block of its deadline', () => {
    const endless = { ...series, expiry: Number(vectorQuote.deadline) + 1 }
    expect(judgeState(vectorQuote, { ...state, series: endless }, vectorQuote.deadline)).toBeNull()
  })
})

describe('isSignedByMaker', () => {
  test('default: the same address, in any case', () => {
    const upper = `0x${account.address.slice(2).toUpperCase()}` as const
    expect(isSignedByMaker(vectorQuote, upper)).toBe(true)
    expect(isSignedByMaker({ maker: upper }, account.address)).toBe(true)
  })

  test('behavior: another signer, or none', () => {
    expect(isSignedByMaker(vectorQuote, otherSigner)).toBe(false)
    expect(isSignedByMaker(vectorQuote, null)).toBe(false)
  })
})
