import { InvalidInputError, toRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { publicRfqId } from '../../src/domain/rfqIds.ts'
import type { Store } from '../../src/ports/store.ts'
import { updateOf } from '../storedBlocks.ts'
import {
  closedRecord,
  hashOf,
  maker,
  makerOf,
  newAuction,
  newAuctionQuote,
  newClose,
  newQuote,
  now,
  openedAt,
  other,
  runAuction,
} from '../storedQuotes.ts'

/** The id of the n-th auction. */
const auctionId = (n: number) => toRfqId(n.toString(16).padStart(32, '0'))

/** What a store must say of a maker's own quotes and auctions. */
export function describeMakers(getStore: () => Store): void {
  const hashesOf = async (filters: Parameters<Store['listMakerQuotes']>[1], at = now) =>
    (await getStore().listMakerQuotes(maker, filters, at)).quotes.map(({ hash }) => Number(hash))

  describe('listMakerQuotes', () => {
    test('default: published ones and those of auctions, newest first, with their auction', async () => {
      const store = getStore()
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

    test('behavior: by status, of which time is a part', async () => {
      const store = getStore()
      for (const n of [1, 2, 3]) await store.insertQuote(newQuote(n, { deadline: now + BigInt(10 * n) }))
      await store.applyBlocks(updateOf(1, null, [{ type: 'quoteEnded', hash: hashOf(2), status: 'cancelled' }]))
      expect(await hashesOf({ status: 'active' })).toEqual([3, 1])
      expect(await hashesOf({ status: 'active' }, now + 10n)).toEqual([3, 1])
      expect(await hashesOf({ status: 'active' }, now + 11n)).toEqual([3])
      expect(await hashesOf({ status: 'expired' }, now + 11n)).toEqual([1])
      expect(await hashesOf({ status: 'cancelled' }, now + 100n)).toEqual([2])
      expect(await hashesOf({ status: 'filled' })).toEqual([])
    })

    test('behavior: page by page, each quote once, also those of the same millisecond', async () => {
      const store = getStore()
      for (let n = 1; n <= 7; n += 1)
        await store.insertQuote(newQuote(n, {}, { createdAt: openedAt + Math.floor(n / 3) }))
      const seen: number[] = []
      let cursor: string | undefined
      do {
        const page = await store.listMakerQuotes(maker, { limit: 2, ...(cursor !== undefined && { cursor }) }, now)
        expect(page.quotes.length).toBeLessThanOrEqual(2)
        seen.push(...page.quotes.map(({ hash }) => Number(hash)))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
    })

    test('error: a cursor of another list', async () => {
      const cursor = Buffer.from('["rate",1]').toString('base64url')
      await expect(getStore().listMakerQuotes(maker, { cursor }, now)).rejects.toThrow(InvalidInputError)
    })
  })

  describe('listMakerAuctions', () => {
    test('default: closed ones with a quote of the maker, the last one opened first, whole', async () => {
      const store = getStore()
      const quotes = [newAuctionQuote(1, auctionId(1)), newAuctionQuote(2, auctionId(1))]
      await runAuction(store, newAuction(auctionId(1)), quotes)
      await runAuction(store, newAuction(auctionId(2)), [newAuctionQuote(2, auctionId(2))])
      await runAuction(store, newAuction(auctionId(3)), [newAuctionQuote(1, auctionId(3))])
      await store.openAuction(newAuction(auctionId(4)))
      await store.acceptQuote(newAuctionQuote(1, auctionId(4)), openedAt)
      const { auctions, nextCursor } = await store.listMakerAuctions(makerOf(1), {})
      expect(nextCursor).toBeNull()
      expect(auctions.map((auction) => auction.publicRfqId)).toEqual([auctionId(3), auctionId(1)].map(publicRfqId))
      expect(auctions[1]).toEqual(closedRecord(newAuction(auctionId(1)), quotes, newClose(auctionId(1))))
    })

    test('behavior: page by page, each auction once', async () => {
      const store = getStore()
      for (let n = 1; n <= 5; n += 1)
        await runAuction(store, newAuction(auctionId(n)), [newAuctionQuote(1, auctionId(n))])
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await store.listMakerAuctions(makerOf(1), { limit: 2, ...(cursor !== undefined && { cursor }) })
        seen.push(...page.auctions.map((auction) => auction.publicRfqId))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(seen).toEqual([5, 4, 3, 2, 1].map((n) => publicRfqId(auctionId(n))))
    })

    test('error: a cursor of another list', async () => {
      const cursor = Buffer.from('["created",1]').toString('base64url')
      await expect(getStore().listMakerAuctions(maker, { cursor })).rejects.toThrow(InvalidInputError)
    })
  })
}
