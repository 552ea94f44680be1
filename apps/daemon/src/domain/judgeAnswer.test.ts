import { maxUint256 } from '@firmquote/core/utils'
import { describe, expect, test } from '@jest/globals'
import { examplePolicy } from '../../test/examplePolicy.ts'
import { exampleNow, exampleRfq } from '../../test/exampleRfq.ts'
import { judgeAnswer } from './judgeAnswer.ts'
import type { PolicyInput } from './priceRfq.ts'

const input: PolicyInput = {
  rfq: { ...exampleRfq, maxVrtAmount: 9n },
  floatingRatePerSec: 0n,
  decimals: 6,
  policy: examplePolicy,
  now: exampleNow,
  affordable: 500n,
  nonce: 3n,
}
const quote = { kind: 'quote', notional: 500n, vrtAmount: 9n, nonce: 3n, deadline: BigInt(exampleNow + 60) } as const

describe('judgeAnswer', () => {
  test('default', () => {
    expect(judgeAnswer({ ...quote, extra: 1 }, input)).toEqual(quote)
    expect(judgeAnswer({ kind: 'decline', code: 'NOT_TODAY' }, input)).toEqual({
      kind: 'decline',
      code: 'NOT_TODAY',
      reason: 'NOT_TODAY',
    })
  })

  test('behavior: limits are inclusive', () => {
    const { maxVrtAmount: _, ...rfq } = input.rfq
    for (const [changes, inputChanges] of [
      [{ notional: rfq.notional }, { affordable: rfq.notional }],
      [{ notional: 1n }, {}],
      [{ vrtAmount: 0n }, {}],
      [{ vrtAmount: maxUint256 }, { rfq }],
      [{ deadline: BigInt(exampleNow + 1) }, {}],
      [{ deadline: BigInt(exampleNow + 86_400) }, {}],
      [{ nonce: 0n }, { nonce: 0n }],
    ]) {
      const answer = { ...quote, ...changes }
      expect(judgeAnswer(answer, { ...input, ...inputChanges })).toEqual(answer)
    }
  })

  test('behavior: a code has 1 to 64 characters, a reason at most 1,000', () => {
    const decline = (code: string, reason?: string) => judgeAnswer({ kind: 'decline', code, reason }, input)
    expect(decline('A', 'x'.repeat(1_001))).toEqual({ kind: 'decline', code: 'A', reason: 'x'.repeat(1_000) })
    expect(decline('A'.repeat(64))).toMatchObject({ code: 'A'.repeat(64) })
    expect(decline('A'.repeat(65))).toMatchObject({ code: 'PRICER_FAILED' })
  })

  test.each<[string, unknown]>([
    ['it is not an object', undefined],
    ['it is not an object', null],
    ['it is not an object', 'quote'],
    ["its kind is neither 'quote' nor 'decline'", { ...quote, kind: 'maybe' }],
    ['its notional is not a uint256', { ...quote, notional: 500 }],
    ['its vrtAmount is not a uint256', { ...quote, vrtAmount: -1n }],
    ['its vrtAmount is not a uint256', { ...quote, vrtAmount: maxUint256 + 1n }],
    ['its nonce is not a uint256', { ...quote, nonce: undefined }],
    ['its deadline is not a uint256', { ...quote, deadline: '1' }],
    ['its notional is zero', { ...quote, notional: 0n }],
    ['its notional exceeds the requested notional', { ...quote, notional: exampleRfq.notional + 1n }],
    ['its notional exceeds the affordable notional', { ...quote, notional: 501n }],
    ["its vrtAmount exceeds the RFQ's maxVrtAmount", { ...quote, vrtAmount: 10n }],
    ["its nonce is not the maker's", { ...quote, nonce: 4n }],
    ["its nonce is not the maker's", { ...quote, nonce: 2n }],
    ['its deadline has passed', { ...quote, deadline: BigInt(exampleNow) }],
    ['its deadline is more than a day away', { ...quote, deadline: BigInt(exampleNow + 86_401) }],
    ['its code is not in the form TOO_LATE', { kind: 'decline' }],
    ['its code is not in the form TOO_LATE', { kind: 'decline', code: 'not today' }],
    ['its code is not in the form TOO_LATE', { kind: 'decline', code: 'TOO_LATE!' }],
    ['its code is not in the form TOO_LATE', { kind: 'decline', code: ' TOO_LATE' }],
  ])('error: %s (%#)', (what, answer) => {
    const reason = `The pricer's answer is invalid: ${what}.`
    expect(judgeAnswer(answer, input)).toEqual({ kind: 'decline', code: 'PRICER_FAILED', reason })
  })
})
