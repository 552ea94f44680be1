import { describe, expect, test } from '@jest/globals'
import { type Hex, numberToHex } from 'viem'
import { createRecoveryRing, createRequestEnd, createResponseEnd } from './recoveryRing.ts'

const digestOf = (index: number) => numberToHex(index, { size: 32 })
const signatureOf = (index: number): Hex => `0x${'00'.repeat(32)}${digestOf(index).slice(2)}1b`

/** Creates a ring for four requests, and returns the caller's end and each thread's end. */
const createRing = (threads = 1) => {
  const ring = createRecoveryRing(4, threads)
  const answering = Array.from({ length: threads }, (_, thread) => createResponseEnd(ring, thread))
  const asking = createRequestEnd(ring)
  return { asking, answering, thread: answering[0] as (typeof answering)[number] }
}
/** Answers the next request with a signer whose address ends with the request's data. */
const answerNext = ({ take, answer }: ReturnType<typeof createResponseEnd>) => {
  const { digest, signature } = take()
  expect(signature.slice(32, 64)).toEqual(digest.slice())
  expect(signature[64]).toBe(27)
  answer(digest.slice(12))
}

describe('the ends of a ring', () => {
  test("default: each answer is in its request's slot, round after round", () => {
    const { asking, thread } = createRing()
    for (let index = 0; index < 100; index += 1) {
      const slot = asking.ask(digestOf(index), signatureOf(index)) as number
      expect(asking.answerIn(slot)).toBeUndefined()
      answerNext(thread)
      expect(asking.answerIn(slot)).toEqual({ signer: numberToHex(index, { size: 20 }) })
    }
  })

  test('behavior: a request is claimed by one thread only', () => {
    const { asking, answering } = createRing(2)
    const slots = [1, 2, 3, 4].map((index) => asking.ask(digestOf(index), signatureOf(index)) as number)
    expect(answering.map((end) => end.waiting())).toEqual([4, 4])
    for (const end of answering) answerNext(end)
    for (const end of answering.toReversed()) answerNext(end)
    expect(slots.map((slot) => asking.answerIn(slot)?.signer)).toEqual(
      [1, 2, 3, 4].map((index) => numberToHex(index, { size: 20 })),
    )
    expect(answering.map((end) => end.waiting())).toEqual([0, 0])
  })

  test.each(['not_65_bytes', 'v_not_27_or_28', 'high_s', 'unrecoverable'] as const)(
    'behavior: the fault %s',
    (fault) => {
      const { asking, thread } = createRing()
      const slot = asking.ask(digestOf(1), signatureOf(1)) as number
      thread.take()
      thread.answer(fault)
      expect(asking.answerIn(slot)).toEqual({ fault })
    },
  )

  test('behavior: the caller is notified only once until it listens', () => {
    const { asking, answering } = createRing(2)
    asking.listen()
    expect(answering.map((end) => end.mustNotify())).toEqual([true, false])
    asking.listen()
    expect(answering.map((end) => end.mustNotify())).toEqual([true, false])
  })

  test('behavior: a lost thread loses only its current request', () => {
    const { asking, answering, thread } = createRing(2)
    const slots = [1, 2, 3].map((index) => asking.ask(digestOf(index), signatureOf(index)) as number)
    answerNext(thread)
    thread.take()
    expect(asking.giveUp(1)).toBeUndefined()
    expect(asking.giveUp(0)).toBe(slots[1])
    expect(asking.giveUp(0)).toBeUndefined()
    for (const end of answering.slice(1)) answerNext(end)
    expect(slots.map((slot) => asking.answerIn(slot) !== undefined)).toEqual([true, true, true])
  })

  test.each<[string, (signature: Hex) => string]>([
    ['too short', (signature) => signature.slice(0, -2)],
    ['too long', (signature) => `${signature}00`],
    ['half a byte short', (signature) => signature.slice(0, -1)],
    ['no hex', (signature) => `${signature.slice(0, -1)}x`],
    ['no prefix', (signature) => `00${signature.slice(2)}`],
  ])('error: a signature that is %s takes no slot', (_, change) => {
    const { asking, thread } = createRing()
    expect(asking.ask(digestOf(1), change(signatureOf(1)) as Hex)).toBeUndefined()
    expect(thread.waiting()).toBe(0)
  })
})
