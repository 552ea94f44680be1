import type { RFQResult, RfqId, StoredQuote } from '@firmquote/sdk'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { expect, test } from '@jest/globals'
import { findAuctionQuote, findStoredQuote } from './findQuote.ts'

const hash = `0x${'ab'.repeat(32)}` as const
const quote = exampleQuote({ notional: 200n, vrtAmount: 5n })
const auction: RFQResult = {
  rfqId: 'a' as RfqId,
  poolId: quote.poolId,
  seriesKey: quote.seriesKey,
  expiry: 2_000,
  notional: 250n,
  openedAt: 1,
  closesAt: 15_001,
  status: 'closed',
  closedAt: 15_001,
  backers: 1,
  rejectedCount: 0,
  quotes: [{ hash, quote, apr: 5, receivedAt: 2 }],
}
const stored: StoredQuote = { hash, quote, apr: 5, status: 'active', createdAt: 1 }

test("default: an auction's quote is held against what was asked for", () => {
  expect(findAuctionQuote(auction, hash)).toEqual({ hash, signed: quote, request: auction, expiry: 2_000 })
  expect(findAuctionQuote(auction, `0x${'00'.repeat(32)}`)).toBeNull()
})

test('default: a published quote is held against itself', () => {
  expect(findStoredQuote(stored, false)?.request).toEqual({
    poolId: quote.poolId,
    seriesKey: quote.seriesKey,
    notional: 200n,
  })
})

test('behavior: a quote that has ended, or belongs to another, is not on offer', () => {
  const { signature: _, ...unsigned } = quote
  expect(findStoredQuote({ ...stored, status: 'filled' }, false)).toBeNull()
  expect(findStoredQuote({ ...stored, quote: unsigned }, false)).toBeNull()
})

test('behavior: a quote that this page has taken stays, with what has become of it', () => {
  expect(findStoredQuote({ ...stored, status: 'filled' }, true)?.hash).toBe(hash)
})
