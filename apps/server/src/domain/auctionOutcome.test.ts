import { describe, expect, test } from '@jest/globals'
import { type Address, numberToHex } from 'viem'
import {
  apply,
  backers,
  deadlineReached,
  effectsOf,
  judged,
  opened,
  publicId,
  record,
  submitted,
} from '../../test/auctionEvents.ts'
import { openedAt } from '../../test/storedQuotes.ts'
import { auctionOutcome, rankOutcomes } from './auctionOutcome.ts'
import type { AcceptedQuote, AuctionRecord } from './auctionRecord.ts'

const close = { closedAt: openedAt + 15_000, rejectedCount: 0, interrupted: false }

/** The nth quote's row. Each quote, for a notional of 1,000 raw units, costs more than the previous one. */
function rowOf(number: number, change: Partial<AcceptedQuote> = {}, maker?: Address): AcceptedQuote {
  const terms = { vrtAmount: BigInt(number), notional: 1_000n }
  const { hash, quote, arrival } = submitted(number, maker ?? numberToHex(number, { size: 20 }), terms)
  return { hash, quote, apr: 1, receivedAt: openedAt, arrival, seq: number, ...change }
}

const outcomesOf = (quotes: readonly AcceptedQuote[]) =>
  rankOutcomes(quotes).map(({ accepted: { seq }, outcome }) => `${seq} ${outcome}`)

describe('rankOutcomes', () => {
  test('default: the first is the best, the next four are close', () => {
    const quotes = [1, 2, 3, 4, 5, 6, 7].map((number) => rowOf(number)).reverse()
    expect(outcomesOf(quotes)).toEqual([
      ...['1 best', '2 close', '3 close', '4 close', '5 close', '6 beaten', '7 beaten'],
    ])
  })

  test('behavior: a quote that does not count in `best` ranks last and is never the best', () => {
    const free = rowOf(1, { unproven: true })
    const whole = rowOf(1_000)
    expect(outcomesOf([whole, free, rowOf(2), rowOf(999)])).toEqual(['2 best', '999 close', '1 close', '1000 close'])
    expect(outcomesOf([free])).toEqual(['1 close'])
    expect(outcomesOf([])).toEqual([])
  })
})

describe('auctionOutcome', () => {
  test('default', () => {
    const maker = '0xABCDEF0000000000000000000000000000000001'
    const [cheap, dear] = [rowOf(1, {}, maker), rowOf(2)]
    const [late, refused] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`]
    const closed: AuctionRecord = { ...record, quotes: [dear, cheap], close }
    const missed = new Map([
      [late, 'late'],
      [refused, 'rejected'],
      // A backer with a quote in the result receives that quote's outcome.
      [maker.toLowerCase(), 'rejected'],
    ] as const)
    const outcome = auctionOutcome(closed, close, missed)
    expect(outcome).toEqual({
      rfqId: publicId,
      closedAt: close.closedAt,
      quoteCount: 2,
      backers: {
        [maker.toLowerCase()]: { outcome: 'best', hash: cheap.hash },
        [dear.quote.maker.toLowerCase()]: { outcome: 'close', hash: dear.hash },
        [late]: { outcome: 'late' },
        [refused]: { outcome: 'rejected' },
      },
    })
    // Every backer receives the outcome, so it must not contain the borrower's ID.
    expect(JSON.stringify(outcome)).not.toContain(record.rfq.rfqId)
  })

  test('behavior: a quote without a verdict at the close is late, one that was refused is rejected', () => {
    const [judging, refused, malformed, stored, second] = backers as [Address, Address, Address, Address, Address]
    const [a, b, c, d, e] = [
      submitted(1, judging),
      submitted(2, refused),
      submitted(3, malformed, { notional: 10n ** 9n }),
      submitted(4, stored),
      submitted(5, second),
    ] as const
    const { effects } = apply([
      ...[opened, a, b, c, d, e, judged(b, { code: 'CHAIN_UNAVAILABLE' }), judged(d), judged(e)],
      { type: 'acceptAnswered', id: 4, backer: stored, answer: { status: 'closed', closedAt: close.closedAt } },
      { type: 'acceptAnswered', id: 5, backer: second, answer: { status: 'quoted', hash: b.hash } },
      deadlineReached,
      { type: 'closeAnswered', answer: { closedNow: true, auction: { ...record, close } } },
    ])
    const [, told] = effectsOf(effects, 'broadcast')
    expect(told).toMatchObject({
      outcome: {
        backers: {
          [judging]: { outcome: 'late' },
          [refused]: { outcome: 'rejected' },
          [malformed]: { outcome: 'rejected' },
          [stored]: { outcome: 'late' },
          [second]: { outcome: 'rejected' },
        },
      },
    })
  })
})
