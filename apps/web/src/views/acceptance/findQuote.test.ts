import type { RFQResult, RfqId, StoredQuote } from '@firmquote/sdk'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { expect, test } from '@jest/globals'
import { findAuctionQuotes, findStoredQuotes } from './findQuote.ts'

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

const find = (quotes: readonly StoredQuote[], isOwn = false) => findStoredQuotes(quotes, () => isOwn)

test('default: published quotes are checked against their own terms', () => {
  const { poolId, seriesKey } = quote
  expect(find([stored])).toMatchObject({ request: { poolId, seriesKey, notional: 200n }, limit: 5n })
  const other: StoredQuote = { ...stored, hash: `0x${'cd'.repeat(32)}`, quote: { ...quote, notional: 100n } }
  const both = find([stored, other])
  expect(both?.chosen.map((one) => one.hash)).toEqual([hash, other.hash])
  expect(both?.request.notional).toBe(300n)
  // The more expensive quote's share of the limit is its cost.
  expect(both?.limit).toBe(15n)
  expect(find([stored, other, other, other, other])?.chosen).toHaveLength(4)
})

test('behavior: quotes that have ended, lack a signature or are for another term are left out', () => {
  const { signature: _, ...unsigned } = quote
  const filled: StoredQuote = { ...stored, status: 'filled' }
  expect(find([filled])).toBeNull()
  expect(find([{ ...stored, quote: unsigned }])).toBeNull()
  expect(find([filled, stored])?.chosen).toHaveLength(1)
  const elsewhere: StoredQuote = { ...stored, quote: { ...quote, seriesKey: `0x${'ef'.repeat(32)}` } }
  expect(find([stored, elsewhere])?.chosen).toHaveLength(1)
})

test('behavior: a quote that this app has taken stays, with its outcome', () => {
  expect(find([{ ...stored, status: 'filled' }], true)?.chosen[0].hash).toBe(hash)
})
