import { describe, expect, test } from '@jest/globals'
import { exampleOffer, exampleQuote } from '../../../../test/views/auction/exampleOffers.ts'
import { ladderOf } from './ladderOf.ts'

const offer = (number: number) => exampleOffer(exampleQuote(number))
const [first, second, third, fourth, fifth] = [offer(1), offer(2), offer(3), offer(4), offer(5)]
const none = { best: [], takeable: [], others: [], taken: [] }

describe('ladderOf', () => {
  test('default: the best first, then other quotes, and an empty rung for each maker that has not answered', () => {
    const judged = {
      best: [second, third],
      takeable: [first, second, third, { ...fourth, basis: 'none' as const }],
      others: [fifth],
      taken: [],
    }
    expect(ladderOf({ status: 'open', backers: 7 }, judged)).toEqual({
      rungs: [
        { offer: second, standing: 'best' },
        { offer: third, standing: 'combined' },
        { offer: first, standing: 'takeable' },
        { offer: { ...fourth, basis: 'none' }, standing: 'checking' },
        { offer: fifth, standing: 'cannot' },
      ],
      waiting: 2,
      more: 0,
    })
  })

  test('behavior: a quote that the borrower has taken is not one that cannot be taken', () => {
    const judged = { ...none, others: [first, second], taken: [first.collected] }
    expect(ladderOf({ status: 'closed', backers: 2 }, judged).rungs.map(({ standing }) => standing)).toEqual([
      'taken',
      'cannot',
    ])
  })

  test('behavior: from nine makers on, those without a rung are counted', () => {
    expect(ladderOf({ status: 'open', backers: 8 }, none)).toMatchObject({ waiting: 8, more: 0 })
    expect(ladderOf({ status: 'open', backers: 9 }, none)).toMatchObject({ waiting: 8, more: 1 })
    expect(ladderOf({ status: 'open', backers: 9 }, { ...none, others: [first] })).toMatchObject({
      waiting: 7,
      more: 1,
    })
  })

  test('behavior: more quotes than makers leave no rung empty, and a closed auction waits for nobody', () => {
    expect(ladderOf({ status: 'open', backers: 1 }, { ...none, others: [first, second] })).toMatchObject({ waiting: 0 })
    expect(ladderOf({ status: 'closed', backers: 3 }, none)).toMatchObject({ waiting: 0, more: 0 })
  })
})
