import { expect, test } from '@jest/globals'
import { newAuction, newAuctionQuote, now } from '../../test/storedQuotes.ts'
import { judgeSubmission } from './judgeSubmission.ts'

const { rfq } = newAuction()
const { quote } = newAuctionQuote(1)
const lifetime = { min: 20, max: 86_400 }

/** Returns the code with which an auction with these terms refuses the quote, or null if the quote fits. */
const codeOf = (terms: { minNotional?: bigint; minDeadline?: bigint }) =>
  judgeSubmission({ rfq: { ...rfq, ...terms }, lifetime }, { backer: quote.maker, quote, now })?.code ?? null

test('default: a quote with exactly the minimum notional and deadline fits', () => {
  expect(codeOf({})).toBeNull()
  expect(codeOf({ minNotional: quote.notional, minDeadline: quote.deadline })).toBeNull()
})

test('error: a quote for less than the minimum notional', () => {
  expect(codeOf({ minNotional: quote.notional + 1n })).toBe('NOTIONAL_TOO_SMALL')
})

test('error: a quote whose deadline is before the minimum', () => {
  expect(codeOf({ minDeadline: quote.deadline + 1n })).toBe('DEADLINE_TOO_SOON')
})
