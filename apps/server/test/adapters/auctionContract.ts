import { toRfqId } from '@firmquote/core'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { auctionOutcome } from '../../src/domain/auctionOutcome.ts'
import { auctionEvents, chooseBest, rankQuotes, resultWithStatuses } from '../../src/domain/auctionRecord.ts'
import { publicRfqId } from '../../src/domain/rfqIds.ts'
import { type AuctionKey, keyLifetimeMs, type NewAuctionQuote, type Store } from '../../src/ports/store.ts'
import { applyBlock, cancelled, filled, raised, rollBackTo } from '../storedBlocks.ts'
import {
  acceptedQuotes,
  closedRecord,
  closesAt,
  hashOf,
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
 * Auction tests for every store. `use` returns a store that is empty when each test starts. If `histories` is given,
 * compares each call with a model. The tests below cover what the histories do not vary.
 */
export function describeAuctions(use: () => Store, histories?: Histories): void {
  describe('auctions', () => {
    let store: Store
    beforeEach(() => {
      store = use()
    })

    test('behavior: an auction without quotes, without its optional terms', async () => {
      const { rfq, ...rest } = newAuction()
      const { maxVrtAmount: _, taker: __, ...terms } = rfq
      const auction = { ...rest, rfq: terms }
      const close = newClose(rfqId, { interrupted: true, rejectedCount: 0 })
      await runAuction(store, auction, [], close)
      expect(await store.findAuction({ rfqId })).toEqual(closedRecord(auction, [], close))
    })

    test('behavior: quotes that end before the close stay in the result, with their status', async () => {
      const offered = [1, 2, 3, 4].map((number) => newAuctionQuote(number))
      const quotes = acceptedQuotes(offered)
      const auction = newAuction()
      await store.openAuction(auction)
      for (const quote of offered) await store.acceptQuote(quote, openedAt)
      await applyBlock(store, 1, filled(1), cancelled(2), raised(1n, makerOf(3)))
      const statuses = async () => (await store.findAuction({ rfqId }))?.quotes.map(({ status }) => status)
      const ended = ['filled', 'cancelled', 'nonce_raised', undefined]
      expect(await statuses()).toEqual(ended)
      const closed = await store.closeAuction(newClose())
      expect(closed?.auction.quotes.map(({ status }) => status)).toEqual(ended)
      const result = closed && resultWithStatuses(closed.auction)
      expect(result?.quotes.map(({ hash, status }) => [hash, status])).toEqual(
        rankQuotes(quotes).map(({ hash }) => [hash, ended[Number(hash) - 1]]),
      )
      // Neither the choice nor the events depend on the chain's later state.
      expect(result?.best).toEqual(chooseBest({ ...auction, quotes }))
      expect(closed && auctionEvents(closed.auction).some(({ data }) => 'status' in data)).toBe(false)
      const outcomes = closed?.auction.close && auctionOutcome(closed.auction, closed.auction.close)
      expect(Object.keys(outcomes?.backers ?? {})).toHaveLength(4)
      await rollBackTo(store, null)
      expect(await statuses()).toEqual([undefined, undefined, undefined, undefined])
    })

    test('behavior: neither ID is accepted in place of the other', async () => {
      expect(await store.findAuction({ publicRfqId: publicRfqId(rfqId) })).toBeNull()
      await store.openAuction(newAuction())
      expect(await store.findAuction({ rfqId: toRfqId(publicRfqId(rfqId)) })).toBeNull()
    })

    test('behavior: observations of closed auctions, by pool and series, newest first, up to the limit', async () => {
      const first = newAuctionQuote(1)
      await store.openAuction(newAuction())
      await store.acceptQuote(first, openedAt)
      expect(await store.listObservations({})).toEqual([])
      await store.closeAuction(newClose())
      const { hash, apr, quote, receivedAt: observedAt } = first
      const { expiry } = newAuction().rfq
      const observation = { publicRfqId: publicRfqId(rfqId), hash, apr, expiry, observedAt, quote }
      expect(await store.listObservations({})).toEqual([observation])
      await runAuction(store, newAuction(second), [
        newAuctionQuote(1, second),
        newAuctionQuote(2, second, { poolId: seriesKey }),
        newAuctionQuote(3, second, { seriesKey: poolId }),
      ])
      const numbers = async (filters: Parameters<Store['listObservations']>[0]) =>
        (await store.listObservations(filters)).map((one) => Number(one.hash))
      expect(await numbers({})).toEqual([3, 2, 1, 1])
      expect(await numbers({ limit: 2 })).toEqual([3, 2])
      expect(await numbers({ poolId: seriesKey })).toEqual([2])
      expect(await numbers({ poolId, seriesKey: poolId })).toEqual([3])
      expect((await store.listObservations({ poolId, seriesKey })).map((one) => one.publicRfqId)).toEqual([
        publicRfqId(second),
        publicRfqId(rfqId),
      ])
    })

    test('behavior: a published quote stays public and unchanged', async () => {
      await store.openAuction(newAuction())
      await store.insertQuote(newQuote(2, { maker: makerOf(2) }, { apr: 3 }))
      await store.acceptQuote(newAuctionQuote(2), openedAt)
      const listed = await store.findQuote(hashOf(2))
      expect(listed).toMatchObject({ listed: true, apr: 3 })
      expect(listed).not.toHaveProperty('secret')
      expect((await store.findAuction({ rfqId }))?.quotes).toMatchObject([{ apr: 2 }])
    })

    test('behavior: an auction quote is secret until one of its auctions closes, and is never published', async () => {
      for (const id of [rfqId, second]) {
        await store.openAuction(newAuction(id))
        await store.acceptQuote(newAuctionQuote(1, id), openedAt)
      }
      const published = newQuote(1, { maker: makerOf(1) }, { createdAt: 5, apr: 3 })
      const kept = { created: false, record: { listed: false, secret: true, apr: 1 } }
      expect(await store.insertQuote(published)).toMatchObject(kept)
      expect(await store.findQuote(hashOf(1))).toMatchObject(kept.record)
      await store.closeAuction(newClose())
      expect(await store.findQuote(hashOf(1))).not.toHaveProperty('secret')
      expect(await store.insertQuote(published)).toMatchObject({ created: false, record: { listed: false } })
      expect(await store.countQuotes(makerOf(1), 0n)).toBe(0)
    })

    test('behavior: a key refers to its auction after the close, until its lifetime ends', async () => {
      const { key } = keyOf(1)
      await runAuction(store, newAuction(rfqId, {}, keyOf(1)), [])
      expect(await store.findAuctionByKey(key, openedAt)).toMatchObject({ rfqId })
      expect(await store.findAuctionByKey(key, openedAt + 1)).toBeNull()
      const later = (ms: number) =>
        newAuction(second, { openedAt: openedAt + ms, closesAt: closesAt + ms }, keyOf(1, 2))
      expect(await store.openAuction(later(keyLifetimeMs))).toMatchObject({ existing: { rfqId } })
      expect(await store.openAuction(later(keyLifetimeMs + 1))).toEqual({ opened: true })
      expect(await store.findAuctionByKey(key, 0)).toEqual({ rfqId: second, request: keyOf(1, 2).request })
      // The auction is kept. Only its key is cleared.
      expect(await store.findAuction({ rfqId })).not.toBeNull()
      expect(await store.openAuction(newAuction(rfqId, {}, keyOf(1)))).toEqual({ opened: true })
    })

    test('behavior: a quote that is refused is not stored; the case of its maker does not matter', async () => {
      const accept = async (quote: NewAuctionQuote, at = openedAt) => {
        const { status } = await store.acceptQuote(quote, at)
        return [status, await store.findQuote(quote.hash)]
      }
      const lower = makerOf(1).toLowerCase() as Address
      expect(await accept(newAuctionQuote(1))).toEqual(['unknown_auction', null])
      await store.openAuction(newAuction())
      await store.acceptQuote(newAuctionQuote(1), openedAt)
      expect(await accept(newAuctionQuote(2, rfqId, { maker: lower }))).toEqual(['quoted', null])
      expect(await accept(newAuctionQuote(2), closesAt)).toEqual(['closed', null])
      const accepted = { hash: hashOf(1), receivedAt: newAuctionQuote(1).receivedAt }
      expect(await store.findAuctionEntry(publicRfqId(rfqId), lower)).toMatchObject({ accepted })
      await store.closeAuction(newClose())
      expect(await accept(newAuctionQuote(2))).toEqual(['closed', null])
    })

    test('behavior: rows that the caller already has are omitted, but later rows are not', async () => {
      const quotes = [3, 1, 2].map((number) => newAuctionQuote(number))
      await store.openAuction(newAuction())
      for (const quote of quotes) await store.acceptQuote(quote, openedAt)
      const whole = closedRecord(newAuction(), quotes)
      const open = { ...whole, close: null }
      expect(await store.findAuction({ publicRfqId: whole.publicRfqId })).toEqual(open)
      for (const [knownCount, closedNow] of [
        [2, true],
        [0, false],
        [1, false],
        [3, false],
      ] as const) {
        const auction = { ...whole, quotes: whole.quotes.slice(knownCount) }
        expect(await store.closeAuction({ ...newClose(), knownCount })).toEqual({ closedNow, auction })
        expect(await store.findAuction({ rfqId }, knownCount)).toEqual(auction)
        expect(await store.findAuction({ publicRfqId: whole.publicRfqId }, knownCount)).toEqual(auction)
      }
    })

    test('behavior: open auctions in closing order, with their numbers of quotes', async () => {
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

    test('behavior: open auctions that accepted a quote of the maker, whatever other makers quoted', async () => {
      const quoted = (maker: Address) => store.listQuotedAuctions(maker)
      for (const id of [rfqId, second]) await store.openAuction(newAuction(id))
      await store.acceptQuote(newAuctionQuote(1), openedAt)
      await store.acceptQuote(newAuctionQuote(2, second), openedAt)
      const lower = makerOf(1).toLowerCase() as Address
      expect(await quoted(lower)).toEqual([publicRfqId(rfqId)])
      expect(await quoted(makerOf(3))).toEqual([])
      await store.closeAuction(newClose())
      expect(await quoted(lower)).toEqual([])
      expect(await quoted(makerOf(2))).toEqual([publicRfqId(second)])
    })

    if (histories) describeAuctionHistories(use, histories)
  })
}
