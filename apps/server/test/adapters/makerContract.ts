import { toRfqId } from '@firmquote/core'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { publicRfqId } from '../../src/domain/rfqIds.ts'
import type { Store } from '../../src/ports/store.ts'
import { allPages } from '../allPages.ts'
import { applyBlock, cancelled } from '../storedBlocks.ts'
import {
  closedRecord,
  maker,
  makerOf,
  newAuction,
  newAuctionQuote,
  newQuote,
  now,
  openedAt,
  other,
  runAuction,
} from '../storedQuotes.ts'

/** Returns the ID of the n-th auction. */
const auctionId = (n: number) => toRfqId(n.toString(16).padStart(32, '0'))

/** Tests a store's lists of a maker's quotes and auctions. */
export function describeMakers(getStore: () => Store): void {
  let store: Store
  beforeEach(() => {
    store = getStore()
  })
  const hashesOf = async (filters: Parameters<Store['listMakerQuotes']>[1], at = now) =>
    (await store.listMakerQuotes(maker, filters, at)).quotes.map(({ hash }) => Number(hash))

  describe('listMakerQuotes', () => {
    test('default: published and auction quotes, newest first, with their auction', async () => {
      const published = newQuote(1)
      await store.insertQuote(published)
      await store.insertQuote(newQuote(2, { maker: other }))
      const closed = newAuctionQuote(3, auctionId(1), { maker })
      await runAuction(store, newAuction(auctionId(1)), [closed, newAuctionQuote(4, auctionId(1))])
      const open = newAuctionQuote(5, auctionId(2), { maker })
      await store.openAuction(newAuction(auctionId(2)))
      await store.acceptQuote(open, openedAt)
      const { quotes, nextCursor } = await store.listMakerQuotes(maker, {}, now)
      expect(nextCursor).toBeNull()
      expect(quotes).toMatchObject([
        { hash: open.hash, listed: false, secret: true, publicRfqId: publicRfqId(auctionId(2)) },
        { hash: closed.hash, listed: false, status: 'active', publicRfqId: publicRfqId(auctionId(1)) },
        { hash: published.hash, listed: true, status: 'active', quote: published.quote },
      ])
      expect(quotes[2]).not.toHaveProperty('publicRfqId')
      expect(quotes[1]).not.toHaveProperty('secret')
    })

    test('behavior: by status, which depends on the time', async () => {
      for (const n of [1, 2, 3]) await store.insertQuote(newQuote(n, { deadline: now + BigInt(10 * n) }))
      await applyBlock(store, 1, cancelled(2))
      expect(await hashesOf({ status: 'active' })).toEqual([3, 1])
      expect(await hashesOf({ status: 'active' }, now + 10n)).toEqual([3, 1])
      expect(await hashesOf({ status: 'active' }, now + 11n)).toEqual([3])
      expect(await hashesOf({ status: 'expired' }, now + 11n)).toEqual([1])
      expect(await hashesOf({ status: 'cancelled' }, now + 100n)).toEqual([2])
      expect(await hashesOf({ status: 'filled' })).toEqual([])
    })

    test('behavior: in pages, each quote once, even with equal timestamps', async () => {
      for (let n = 1; n <= 7; n += 1)
        await store.insertQuote(newQuote(n, {}, { createdAt: openedAt + Math.floor(n / 3) }))
      const pages = await allPages((cursor) => store.listMakerQuotes(maker, { limit: 2, ...cursor }, now))
      for (const { quotes } of pages) expect(quotes.length).toBeLessThanOrEqual(2)
      expect(pages.flatMap(({ quotes }) => quotes.map(({ hash }) => Number(hash)))).toEqual([7, 6, 5, 4, 3, 2, 1])
    })
  })

  describe('listMakerAuctions', () => {
    test('behavior: closed auctions with a quote from the maker, complete, newest first, in pages', async () => {
      const quotesOf = (n: number) => [newAuctionQuote(1, auctionId(n)), newAuctionQuote(2, auctionId(n))]
      for (let n = 1; n <= 5; n += 1) await runAuction(store, newAuction(auctionId(n)), quotesOf(n))
      await runAuction(store, newAuction(auctionId(6)), [newAuctionQuote(2, auctionId(6))])
      await store.openAuction(newAuction(auctionId(7)))
      await store.acceptQuote(newAuctionQuote(1, auctionId(7)), openedAt)
      const expected = [5, 4, 3, 2, 1].map((n) => closedRecord(newAuction(auctionId(n)), quotesOf(n)))
      expect(await store.listMakerAuctions(makerOf(1), {})).toEqual({ auctions: expected, nextCursor: null })
      const pages = await allPages((cursor) => store.listMakerAuctions(makerOf(1), { limit: 2, ...cursor }))
      expect(pages.flatMap(({ auctions }) => auctions)).toEqual(expected)
    })
  })
}
