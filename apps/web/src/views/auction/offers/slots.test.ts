import { describe, expect, test } from '@jest/globals'
import { exampleOffer, exampleQuote } from '../../../../test/views/auction/exampleOffers.ts'
import { slotsOf } from './slots.ts'

const [first, second, third] = [exampleQuote(1), exampleQuote(2), exampleQuote(3)]
const none = { best: [], others: [] }

describe('slotsOf', () => {
  test('default: in the order in which they answered, and an empty slot for each that has not', () => {
    const judged = { best: [exampleOffer(second)], others: [exampleOffer(third)] }
    expect(slotsOf({ quotes: [second, third, first], backers: 5 }, judged)).toEqual({
      answered: [
        { collected: first, standing: 'answered' },
        { collected: second, standing: 'best' },
        { collected: third, standing: 'cannot' },
      ],
      waiting: 2,
      more: 0,
    })
  })

  test('behavior: from 13 makers on those that have not answered are counted', () => {
    expect(slotsOf({ quotes: [first], backers: 12 }, none)).toMatchObject({ waiting: 11, more: 0 })
    expect(slotsOf({ quotes: [first], backers: 13 }, none)).toMatchObject({ waiting: 0, more: 12 })
  })

  test('behavior: more answers than makers that were asked leave no slot empty', () => {
    expect(slotsOf({ quotes: [first, second], backers: 1 }, none)).toMatchObject({ waiting: 0, more: 0 })
  })
})
