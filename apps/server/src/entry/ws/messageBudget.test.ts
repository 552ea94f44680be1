import { toPublicRfqId } from '@firmquote/core'
import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { createFreeAnswers, createMessageBudget, type MessageBudget } from './messageBudget.ts'

let clock: FakeClock
let budget: MessageBudget

beforeEach(() => {
  clock = createFakeClock(1_767_225_600_000)
  budget = createMessageBudget(clock, { messages: 3, periodMs: 3_000 })
})

/** Sends messages of one kind and settles each charge immediately. Returns how many were accepted. */
function send(count: number, isFree: boolean): number {
  let taken = 0
  for (let sent = 0; sent < count; sent += 1) {
    const charge = budget.charge()
    if (charge && budget.settle(charge, isFree)) taken += 1
  }
  return taken
}

describe('createMessageBudget', () => {
  test('default: a burst, then at the refill rate', () => {
    expect(send(5, false)).toBe(3)
    clock.advance(999)
    expect(send(1, false)).toBe(0)
    clock.advance(1)
    expect(send(2, false)).toBe(1)
  })

  test('behavior: a long pause refills no more than the limit', () => {
    clock.advance(1_000_000)
    expect(send(10, false)).toBe(3)
  })

  test('behavior: free messages cost nothing, even when no tokens are left', () => {
    expect(send(1_000, true)).toBe(1_000)
    expect(send(4, false)).toBe(3)
    expect(send(1_000, true)).toBe(1_000)
    expect(send(1, false)).toBe(0)
  })

  test('behavior: unsettled messages are bounded', () => {
    const charges = Array.from({ length: 7 }, () => budget.charge())
    expect(charges).toEqual(['token', 'token', 'token', 'credit', 'credit', 'credit', null])
    expect(budget.settle('credit', false)).toBe(false)
    expect(budget.charge()).toBe('credit')
  })
})

describe('createFreeAnswers', () => {
  const id = (number: number) => toPublicRfqId(number.toString(16).padStart(32, '0'))

  test('default: three answers to each RFQ that was sent to the session', () => {
    const isFree = createFreeAnswers((rfqId) => rfqId !== id(9))
    expect([1, 2, 3, 4].map(() => isFree(id(1)))).toEqual([true, true, true, false])
    expect(isFree(id(2))).toBe(true)
    expect(isFree(id(9))).toBe(false)
  })

  test('behavior: closed RFQs are removed', () => {
    let over = 0
    const isFree = createFreeAnswers((rfqId) => Number.parseInt(rfqId, 16) >= over)
    for (let number = 0; number < 5_000; number += 1) {
      over = number - 10
      expect(isFree(id(number))).toBe(true)
    }
    expect(isFree(id(4_000))).toBe(false)
  })
})
