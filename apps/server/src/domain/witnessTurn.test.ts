import { describe, expect, test } from '@jest/globals'
import { holdAfterMs, promiseSeconds } from './receipts.ts'
import {
  addCosignature,
  isSilent,
  judgeCosignedTime,
  judgeTurn,
  maxAnswerSeconds,
  maxCosignatures,
  newTurn,
} from './witnessTurn.ts'

const turn = newTurn(5)

describe('judgeTurn', () => {
  test.each([
    ['a new witness', turn, 5, 'ask'],
    ['a larger tree', { ...turn, signedAt: 0 }, 6, 'ask'],
    ['an unanswered checkpoint', { ...turn, asked: { size: 6, at: 0 } }, 7, 'wait'],
    ['a witness that has signed this tree', { ...turn, signedAt: 1 }, 5, 'wait'],
    ['a signature that is 10 seconds old', { ...turn, signedAt: 0 }, 5, 'ask'],
    ['a failure', { ...turn, retryAt: 10_001 }, 6, 'wait'],
    ['a failure that has passed', { ...turn, retryAt: 10_000 }, 6, 'ask'],
    ['a witness of a larger tree', turn, 4, 'ahead'],
  ])('behavior: %s', (_what, given, head, expected) => {
    expect(judgeTurn(given, head, 10_000)).toBe(expected)
  })
})

test('behavior: a witness is silent once it has not answered for 30 seconds', () => {
  const asked = { ...turn, asked: { size: 5, at: 1_000 } }
  expect([isSilent(asked, 30_999), isSilent(asked, 31_000), isSilent(turn, 31_000)]).toEqual([false, true, false])
})

test('error: a signature whose time differs by more than 20 seconds', () => {
  expect([980, 1_020].map((time) => judgeCosignedTime(time, 1_000))).toEqual([null, null])
  expect(judgeCosignedTime(979, 1_000)).toContain('21 seconds before the checkpoint was sent')
  expect(judgeCosignedTime(1_021, 1_000)).toContain('21 seconds after the checkpoint was sent')
  // A checkpoint that was sent before the hold has a signature before the promise's time.
  expect(holdAfterMs / 1_000 + maxAnswerSeconds).toBeLessThan(promiseSeconds)
})

test('behavior: a checkpoint has at most 20 cosignatures, and one of each key', () => {
  const of = (key: string, time = 1) => ({ key, name: key, size: 1, time, line: `— ${key} x` })
  const all = Array.from({ length: maxCosignatures }, (_, at) => of(`w${at}`))
  const list = all.reduce(addCosignature, [] as ReturnType<typeof addCosignature>)
  expect(list).toEqual(all)
  expect(addCosignature(list, of('late'))).toEqual(all)
  expect(addCosignature(list, of('w3', 2)).filter(({ key }) => key === 'w3')).toEqual([of('w3', 2)])
})
