import type { RFQResult, RfqId, StoredQuote } from '@firmquote/sdk'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { expect, test } from '@jest/globals'
import { findAuctionQuotes, findStoredQuote } from './findQuote.ts'

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

test("default: an auction's quotes are checked against its request, and the rest may replace them", () => {
  const hashes = ['ab', '01', '02', '03', '04'].map((byte) => `0x${byte.repeat(32)}` as const)
  const quotes = hashes.map((hash) => ({ hash, quote, apr: 5, receivedAt: 2 }))
  const [chosen, other] = [
    { hash, signed: quote },
    { hash: hashes[1], signed: quote },
  ]
  const found = findAuctionQuotes({ ...auction, quotes }, hash, ['0x12', other.hash ?? '', hash])
  expect(found).toEqual({
    ...{ chosen: [chosen, other], others: [quote, quote, quote] },
    ...{ request: { ...auction, quotes }, expiry: 2_000 },
  })
  expect(findAuctionQuotes({ ...auction, quotes }, hash, hashes)?.chosen).toHaveLength(4)
  expect(findAuctionQuotes(auction, `0x${'00'.repeat(32)}`, [hash])).toBeNull()
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
  expect(findStoredQuote({ ...stored, status: 'filled' }, true)?.chosen[0].hash).toBe(hash)
})
