import { expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { apply, backers, deadlineReached, judged, opened, record, submitted } from '../../test/auctionEvents.ts'
import { acceptedQuotes, newAuctionQuote } from '../../test/storedQuotes.ts'
import { auctionResult } from './auctionRecord.ts'

const [first] = backers as [Address]

test('behavior: a refusal after the deadline was counted at the deadline', () => {
  const quote = submitted(1, first)
  const refused = judged(quote, { code: 'CHAIN_UNAVAILABLE' })
  const { effects } = apply([opened, quote, deadlineReached, refused, { type: 'closeFailed' }])
  expect(effects.filter(({ type }) => type === 'close')).toEqual([
    { type: 'close', rejectedCount: 1, repeated: false },
    { type: 'close', rejectedCount: 1, repeated: true },
  ])
})

test('behavior: a resumed auction has one effect, its first event', () => {
  const { effects } = apply([{ ...opened, announced: false }])
  expect(effects).toEqual([expect.objectContaining({ type: 'emit' })])
})

test('behavior: only an unproven quote is labelled unproven', () => {
  const [a, b] = acceptedQuotes([newAuctionQuote(1), newAuctionQuote(2, undefined, {}, { unproven: true })])
  const { quotes } = auctionResult({ ...record, quotes: a && b ? [a, b] : [] })
  expect(quotes.map((quote) => Object.entries(quote).filter(([name]) => name === 'unproven'))).toEqual([
    [],
    [['unproven', true]],
  ])
})
