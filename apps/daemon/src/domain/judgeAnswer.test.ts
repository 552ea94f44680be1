import { describe, expect, test } from '@jest/globals'
import { examplePolicy } from '../testing/examplePolicy.ts'
import { exampleNow, exampleRfq } from '../testing/exampleRfq.ts'
import { judgeAnswer } from './judgeAnswer.ts'
import type { PricingInput } from './priceRfq.ts'

const input: PricingInput = {
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

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'quote'],
    ['another kind', { ...quote, kind: 'maybe' }],
    ['a number for an amount', { ...quote, notional: 500 }],
    ['a negative amount', { ...quote, vrtAmount: -1n }],
    ['more than 256 bits', { ...quote, vrtAmount: 2n ** 256n }],
    ['no notional', { ...quote, notional: 0n }],
    ['more than asked for', { ...quote, notional: exampleRfq.notional + 1n }],
    ['more than affordable', { ...quote, notional: 501n }],
    ['dearer than the borrower pays', { ...quote, vrtAmount: 10n }],
    ['another nonce', { ...quote, nonce: 4n }],
    ['a deadline of the past', { ...quote, deadline: BigInt(exampleNow) }],
    ['a deadline too far', { ...quote, deadline: BigInt(exampleNow + 86_401) }],
    ['a decline without a code', { kind: 'decline' }],
    ['a decline with a sentence for a code', { kind: 'decline', code: 'not today' }],
  ])('error: %s', (_what, answer) => {
    expect(judgeAnswer(answer, input)).toMatchObject({ kind: 'decline', code: 'PRICER_FAILED' })
  })
})
