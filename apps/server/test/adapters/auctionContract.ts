import { toRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { auctionResult } from '../../src/domain/auctionRecord.ts'
import { publicRfqId } from '../../src/domain/rfqIds.ts'
import { type AuctionKey, keyLifetimeMs, type Store } from '../../src/ports/store.ts'
import {
  acceptedQuotes,
  closedRecord,
  closesAt,
  hashOf,
  maker,
  makerOf,
  newAuction,
  newAuctionQuote,
  newClose,
  newQuote,
  openedAt,
  poolId,
  rfqId,
  runAuction,
  seriesKey,
} from '../storedQuotes.ts'
import { describeAuctionHistories, type Histories } from './auctionHistories.ts'

const [second, third] = [toRfqId('cd'.repeat(16)), toRfqId('ef'.repeat(16))]
const keyOf = (n: number, request = 1): AuctionKey => ({ key: hashOf(1_000 + n), request: hashOf(2_000 + request) })

/**
 * What every store must do with auctions. `use` gives a store that is empty at the start of each test; `histories` are
 * run where given.
 */
export function describeAuctions(use: () => Store, histories?: Histories): void {
  describe('auctions', () => {
    test('default', async () => {
      const store = use()
      const auction = newAuction()
      const quotes = [newAuctionQuote(2), newAuctionQuote(1)]
      expect(await store.openAuction(auction)).toEqual({ opened: true })
      for (const [index, quote] of quotes.entries()) {
        const { receivedAt } = quote
        expect(await store.acceptQuote(quote, openedAt)).toEqual({ status: 'accepted', seq: index + 1, receivedAt })
      }
      const { key: _, ...terms } = auction
      const open = { ...terms, quotes: acceptedQuotes(quotes), close: null }
      expect(await store.findAuction({ rfqId })).toEqual(open)
      expect(await store.findAuction({ publicRfqId: auction.publicRfqId })).toEqual(open)

      const closed = closedRecord(auction, quotes)
      expect(await store.closeAuction(newClose())).toEqual({ closedNow: true, auction: closed })
      expect(await store.findAuction({ rfqId })).toEqual(closed)
      expect(await store.findAuction({ publicRfqId: auction.publicRfqId })).toEqual(closed)
      expect(auctionResult(closed).quotes.map(({ hash }) => hash)).toEqual([hashOf(1), hashOf(2)])
    })

    test('behavior: an auction without quotes, without its optional terms', async () => {
      const { rfq, ...rest } = newAuction()
      const { maxVrtAmount: _, taker: __, ...terms } = rfq
      const auction = { ...rest, rfq: terms }
      const close = newClose(rfqId, { interrupted: true, rejectedCount: 0 })
      await runAuction(use(), auction, [], close)
      expect(await use().findAuction({ rfqId })).toEqual(closedRecord(auction, [], close))
    })

    test('behavior: an auction that is not there', async () => {
      const store = use()
      expect(await store.findAuction({ rfqId })).toBeNull()
      expect(await store.findAuction({ publicRfqId: publicRfqId(rfqId) })).toBeNull()
      expect(await store.findAuctionEntry(publicRfqId(rfqId), maker)).toBeNull()
      expect(await store.acceptQuote(newAuctionQuote(1), openedAt)).toEqual({ status: 'unknown_auction' })
      expect(await store.findQuote(hashOf(1))).toBeNull()
      expect(await store.closeAuction(newClose())).toBeNull()
    })

    test('behavior: neither id is taken for the other', async () => {
      const store = use()
      await store.openAuction(newAuction())
      expect(await store.findAuction({ rfqId: toRfqId(publicRfqId(rfqId)) })).toBeNull()
    })

    test('behavior: nothing is an observation before the auction has closed', async () => {
      const store = use()
      const quote = newAuctionQuote(1)
      await store.openAuction(newAuction())
      await store.acceptQuote(quote, openedAt)
      expect(await store.listObservations({})).toEqual([])
      await store.closeAuction(newClose())
      const { hash, apr, receivedAt: observedAt } = quote
      expect(await store.listObservations({})).toEqual([
        { publicRfqId: publicRfqId(rfqId), hash, apr, expiry: newAuction().rfq.expiry, observedAt, quote: quote.quote },
      ])
    })

    test('behavior: one quote in two auctions', async () => {
      const store = use()
      for (const id of [rfqId, second]) await runAuction(store, newAuction(id), [newAuctionQuote(1, id)])
      expect((await store.findAuction({ rfqId: second }))?.quotes).toHaveLength(1)
      expect((await store.listObservations({})).map((observation) => observation.publicRfqId)).toEqual([
        publicRfqId(second),
        publicRfqId(rfqId),
      ])
    })

    test("behavior: a quote stays what it was first: an auction quote its borrower's, a published one public", async () => {
      const store = use()
      await store.openAuction(newAuction())
      await store.acceptQuote(newAuctionQuote(1), openedAt)
      expect(await store.findQuote(hashOf(1))).toMatchObject({ listed: false, secret: true })
      const published = newQuote(1, { maker: makerOf(1) }, { createdAt: 5, apr: 3 })
      const kept = { created: false, record: { listed: false, secret: true, apr: 1 } }
      expect(await store.insertQuote(published)).toMatchObject(kept)
      await store.insertQuote(newQuote(2, { maker: makerOf(2) }))
      await store.acceptQuote(newAuctionQuote(2), openedAt)
      const listed = await store.findQuote(hashOf(2))
      expect(listed).toMatchObject({ listed: true })
      expect(listed).not.toHaveProperty('secret')
      // What the auction was told is what it keeps.
      expect((await store.findAuction({ rfqId }))?.quotes).toMatchObject([{ apr: 1 }, { apr: 2 }])
    })

    test('behavior: a quote of auctions is secret until one of them is closed, and never published', async () => {
      const store = use()
      for (const id of [rfqId, second]) {
        await store.openAuction(newAuction(id))
        await store.acceptQuote(newAuctionQuote(1, id), openedAt)
      }
      expect(await store.findQuote(hashOf(1))).toMatchObject({ secret: true })
      await store.closeAuction(newClose())
      expect(await store.findQuote(hashOf(1))).not.toHaveProperty('secret')
      expect(await store.insertQuote(newQuote(1, { maker: makerOf(1) }))).toMatchObject({
        created: false,
        record: { listed: false },
      })
      expect(await store.countQuotes(makerOf(1), 0n)).toBe(0)
    })

    test('behavior: observations by pool and series, newest first, not more than asked for', async () => {
      const store = use()
      await runAuction(store, newAuction(), [
        newAuctionQuote(1),
        newAuctionQuote(2, rfqId, { poolId: seriesKey }),
        newAuctionQuote(3, rfqId, { seriesKey: poolId }),
      ])
      const numbers = async (filters: Parameters<Store['listObservations']>[0]) =>
        (await store.listObservations(filters)).map(({ hash }) => Number(hash))
      expect(await numbers({})).toEqual([3, 2, 1])
      expect(await numbers({ limit: 2 })).toEqual([3, 2])
      expect(await numbers({ poolId: seriesKey })).toEqual([2])
      expect(await numbers({ poolId, seriesKey: poolId })).toEqual([3])
    })

    describe('openAuction', () => {
      test('behavior: the same auction again changes nothing, whatever has become of it', async () => {
        const store = use()
        const auction = newAuction(rfqId, {}, keyOf(1))
        await store.openAuction(auction)
        await store.acceptQuote(newAuctionQuote(1), openedAt)
        expect(await store.openAuction({ ...auction, backers: 9 })).toEqual({ opened: true })
        expect(await store.findAuction({ rfqId })).toMatchObject({ backers: 4, quotes: [{ seq: 1 }], close: null })
        await store.closeAuction(newClose())
        expect(await store.openAuction(auction)).toEqual({ opened: true })
        expect(await store.findAuction({ rfqId })).toEqual(closedRecord(auction, [newAuctionQuote(1)]))
      })

      test('behavior: a key has one auction, and says what was asked with it', async () => {
        const store = use()
        const { request } = keyOf(1)
        await store.openAuction(newAuction(rfqId, {}, keyOf(1)))
        for (const key of [keyOf(1), keyOf(1, 7)]) {
          expect(await store.openAuction(newAuction(second, {}, key))).toEqual({
            opened: false,
            existing: { rfqId, request },
          })
        }
        expect(await store.findAuction({ rfqId: second })).toBeNull()
        expect(await store.openAuction(newAuction(second, {}, keyOf(2)))).toEqual({ opened: true })
        expect(await store.openAuction(newAuction(third))).toEqual({ opened: true })
        expect(await store.findAuctionByKey(keyOf(1).key, 0)).toEqual({ rfqId, request })
        expect(await store.findAuctionByKey(keyOf(2).key, 0)).toEqual({ rfqId: second, request })
        expect(await store.findAuctionByKey(keyOf(3).key, 0)).toBeNull()
      })

      test('behavior: a key means its auction after the close, until its time is over', async () => {
        const store = use()
        const { key } = keyOf(1)
        await runAuction(store, newAuction(rfqId, {}, keyOf(1)), [])
        expect(await store.findAuctionByKey(key, openedAt)).toMatchObject({ rfqId })
        expect(await store.findAuctionByKey(key, openedAt + 1)).toBeNull()
        const later = (ms: number) =>
          newAuction(second, { openedAt: openedAt + ms, closesAt: closesAt + ms }, keyOf(1, 2))
        expect(await store.openAuction(later(keyLifetimeMs))).toMatchObject({ existing: { rfqId } })
        expect(await store.openAuction(later(keyLifetimeMs + 1))).toEqual({ opened: true })
        expect(await store.findAuctionByKey(key, 0)).toEqual({ rfqId: second, request: keyOf(1, 2).request })
        // The auction stays; only its key is forgotten.
        expect(await store.findAuction({ rfqId })).not.toBeNull()
        expect(await store.openAuction(newAuction(rfqId, {}, keyOf(1)))).toEqual({ opened: true })
      })
    })

    describe('acceptQuote', () => {
      test('behavior: the same quote again is accepted as it was first, also after the close', async () => {
        const store = use()
        const first = newAuctionQuote(1)
        await store.openAuction(newAuction())
        await store.acceptQuote(first, openedAt)
        await store.acceptQuote(newAuctionQuote(2), openedAt)
        const answer = { status: 'accepted', seq: 1, receivedAt: first.receivedAt }
        const again = { ...first, receivedAt: first.receivedAt + 9, arrival: first.arrival + 9, apr: 99 }
        expect(await store.acceptQuote(again, openedAt)).toEqual(answer)
        expect(await store.acceptQuote(again, closesAt + 1)).toEqual(answer)
        await store.closeAuction(newClose())
        expect(await store.acceptQuote(again, closesAt + 9)).toEqual(answer)
        expect(await store.findAuction({ rfqId })).toEqual(closedRecord(newAuction(), [first, newAuctionQuote(2)]))
      })

      test('behavior: a maker has one quote in an auction', async () => {
        const store = use()
        await store.openAuction(newAuction())
        await store.openAuction(newAuction(second))
        await store.acceptQuote(newAuctionQuote(1), openedAt)
        const other = newAuctionQuote(5, rfqId, { maker: makerOf(1).toLowerCase() as Hex })
        expect(await store.acceptQuote(other, openedAt)).toEqual({ status: 'quoted', hash: hashOf(1) })
        expect(await store.findQuote(hashOf(5))).toBeNull()
        expect(await store.acceptQuote({ ...other, publicRfqId: publicRfqId(second) }, openedAt)).toMatchObject({
          status: 'accepted',
          seq: 1,
        })
        // What was refused has left no gap.
        expect(await store.acceptQuote(newAuctionQuote(2), openedAt)).toMatchObject({ seq: 2 })
      })

      test('behavior: until the end, and not at it', async () => {
        const store = use()
        await store.openAuction(newAuction())
        expect(await store.acceptQuote(newAuctionQuote(1), closesAt - 1)).toMatchObject({ status: 'accepted' })
        expect(await store.acceptQuote(newAuctionQuote(2), closesAt)).toEqual({ status: 'closed', closedAt: closesAt })
        expect(await store.findQuote(hashOf(2))).toBeNull()
        expect((await store.findAuction({ rfqId }))?.quotes).toHaveLength(1)
      })

      test('behavior: nothing comes in behind the close, whatever time it claims', async () => {
        const store = use()
        await runAuction(store, newAuction(), [newAuctionQuote(1)])
        const closed = { status: 'closed', closedAt: newClose().at }
        expect(await store.acceptQuote(newAuctionQuote(2), openedAt)).toEqual(closed)
        // Before anything else: a maker who has quoted hears that it is over, too.
        expect(await store.acceptQuote(newAuctionQuote(3, rfqId, { maker: makerOf(1) }), openedAt)).toEqual(closed)
        expect(await store.acceptQuote(newAuctionQuote(3, rfqId, { maker: makerOf(1) }), closesAt)).toEqual(closed)
        expect(await store.findAuction({ rfqId })).toEqual(closedRecord(newAuction(), [newAuctionQuote(1)]))
      })
    })

    describe('closeAuction', () => {
      test('behavior: once, and never before its end', async () => {
        const store = use()
        await store.openAuction(newAuction())
        expect(await store.closeAuction(newClose(rfqId, { at: closesAt - 1 }))).toBeNull()
        expect(await store.findAuction({ rfqId })).toMatchObject({ close: null })
        const close = newClose(rfqId, { at: closesAt })
        const auction = closedRecord(newAuction(), [], close)
        expect(await store.closeAuction(close)).toEqual({ closedNow: true, auction })
        const again = newClose(rfqId, { at: closesAt + 9, rejectedCount: 99, interrupted: true })
        expect(await store.closeAuction(again)).toEqual({ closedNow: false, auction })
        expect(await store.closeAuction({ ...again, at: openedAt })).toEqual({ closedNow: false, auction })
        expect(await store.findAuction({ rfqId })).toEqual(auction)
      })

      test('behavior: rows that the caller knows are left out, those after them are not', async () => {
        const store = use()
        const quotes = [3, 1, 2].map((number) => newAuctionQuote(number))
        await store.openAuction(newAuction())
        for (const quote of quotes) await store.acceptQuote(quote, openedAt)
        const whole = closedRecord(newAuction(), quotes)
        for (const [knownCount, closedNow] of [
          [2, true],
          [0, false],
          [1, false],
          [3, false],
        ] as const) {
          const auction = { ...whole, quotes: whole.quotes.slice(knownCount) }
          expect(await store.closeAuction({ ...newClose(), knownCount })).toEqual({ closedNow, auction })
        }
        expect(await store.findAuction({ rfqId })).toEqual(whole)
        for (const knownCount of [0, 1, 3]) {
          const auction = { ...whole, quotes: whole.quotes.slice(knownCount) }
          expect(await store.findAuction({ rfqId }, knownCount)).toEqual(auction)
          expect(await store.findAuction({ publicRfqId: whole.publicRfqId }, knownCount)).toEqual(auction)
        }
      })
    })

    describe('findAuctionEntry', () => {
      test('default', async () => {
        const store = use()
        const id = publicRfqId(rfqId)
        const quote = newAuctionQuote(1)
        const accepted = { hash: quote.hash, receivedAt: quote.receivedAt }
        await store.openAuction(newAuction())
        await store.acceptQuote(quote, openedAt)
        expect(await store.findAuctionEntry(id, makerOf(1))).toEqual({ closesAt, closedAt: null, accepted })
        expect(await store.findAuctionEntry(id, makerOf(1).toLowerCase() as Hex)).toMatchObject({ accepted })
        expect(await store.findAuctionEntry(id, makerOf(2))).toEqual({ closesAt, closedAt: null, accepted: null })
        await store.closeAuction(newClose())
        const closedAt = newClose().at
        expect(await store.findAuctionEntry(id, makerOf(1))).toEqual({ closesAt, closedAt, accepted })
        expect(await store.findAuctionEntry(id, makerOf(2))).toEqual({ closesAt, closedAt, accepted: null })
      })
    })

    describe('listOpenAuctions', () => {
      test('default', async () => {
        const store = use()
        expect(await store.listOpenAuctions()).toEqual([])
        await store.openAuction(newAuction(rfqId, { closesAt: closesAt + 7 }))
        await store.openAuction(newAuction(second))
        await store.acceptQuote(newAuctionQuote(1), closesAt - 1)
        await runAuction(store, newAuction(third), [])
        expect(await store.listOpenAuctions()).toEqual([
          { publicRfqId: publicRfqId(second), lastSeq: 0 },
          { publicRfqId: publicRfqId(rfqId), lastSeq: 1 },
        ])
      })
    })

    if (histories) describeAuctionHistories(use, histories)
  })
}
