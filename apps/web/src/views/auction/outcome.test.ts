import type { Rejection } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { exampleOffer, exampleQuote } from '../../../test/views/auction/exampleOffers.ts'
import { allAnswered, outcomeOf } from './outcome.ts'

const auction = { notional: 100n, status: 'closed' as const, backers: 2, rejectedCount: 0 }
const nothing = { takeable: [], others: [], taken: [] }
const refusedFor = (code: string) => exampleOffer(exampleQuote(1), { code } as Rejection)

describe('outcomeOf', () => {
  test('default: there are quotes to take', () => {
    const takeable = [exampleOffer(exampleQuote(1))]
    expect(outcomeOf(auction, { ...nothing, takeable, others: [refusedFor('QUOTE_FILLED')] })).toBe('quotes')
  })

  test('behavior: all of it is fixed, or a part with more offers, or without', () => {
    const takeable = [exampleOffer(exampleQuote(2))]
    expect(outcomeOf(auction, { ...nothing, takeable, taken: [exampleQuote(1, 100n)] })).toBe('fixed')
    expect(outcomeOf(auction, { ...nothing, takeable, taken: [exampleQuote(1, 99n)] })).toBe('quotes')
    expect(outcomeOf(auction, { ...nothing, taken: [exampleQuote(1, 99n)] })).toBe('rest')
  })

  test('behavior: all have expired, or some cannot be taken for another reason', () => {
    const late = [refusedFor('DEADLINE_PASSED'), refusedFor('DEADLINE_TOO_SOON')]
    expect(outcomeOf(auction, { ...nothing, others: late })).toBe('expired')
    expect(outcomeOf(auction, { ...nothing, others: [...late, refusedFor('QUOTE_CANCELLED')] })).toBe('cannot')
  })

  test('behavior: an open auction waits, whatever has been refused so far', () => {
    const open = { ...auction, status: 'open' as const, rejectedCount: 1 }
    expect(outcomeOf(open, { ...nothing, others: [refusedFor('QUOTE_CANCELLED')] })).toBe('waiting')
    expect(outcomeOf(open, { ...nothing, taken: [exampleQuote(1, 99n)] })).toBe('waiting')
    expect(outcomeOf(open, { ...nothing, taken: [exampleQuote(1, 100n)] })).toBe('fixed')
  })

  test('behavior: nobody has made an offer: all refused, nobody there, nobody willing', () => {
    expect(outcomeOf({ ...auction, rejectedCount: 1 }, nothing)).toBe('refused')
    expect(outcomeOf({ ...auction, backers: 0 }, nothing)).toBe('noMakers')
    expect(outcomeOf({ ...auction, backers: 1 }, nothing)).toBe('silent')
  })
})

test('allAnswered: once as many have answered as are expected', () => {
  const progress = (answered: number) => ({ progress: { answered, expected: 3, backers: 50 } })
  expect([allAnswered({}), allAnswered(progress(2)), allAnswered(progress(3))]).toEqual([false, false, true])
})
