// The store port's contract. The file is long because every adapter must pass all of these tests.

import {
  InvalidInputError,
  type QuoteFilters,
  quoteApr,
  type RFQ,
  type RfqId,
  type SignedQuote,
  toRfqId,
} from '@firmquote/core'
import { maxUint256 } from '@firmquote/core/utils'
import { drawSeed } from '@firmquote/test-support/coverage'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { type Address, type Hex, zeroAddress } from 'viem'
import { costPerSecond, priceOf } from '../../src/domain/rateOrder.ts'
import { publicRfqId } from '../../src/domain/rfqIds.ts'
import type { Position } from '../../src/ports/chain.ts'
import { CursorMovedError, StorageUnavailableError, WrongDatabaseError } from '../../src/ports/errors.ts'
import {
  fillsOfDay,
  type NewRatePoints,
  type PositionQuery,
  type PublishedQuoteFilters,
  type RatePoint,
  type Store,
} from '../../src/ports/store.ts'
import { allPages } from '../allPages.ts'
import {
  applyBlock,
  blockOf,
  bundleOf,
  cancelled,
  filled,
  opened,
  pool,
  poolCreated,
  positionOf,
  raised,
  rollBackTo,
  seriesCreated,
  settled,
  toldAt,
  updateOf,
} from '../storedBlocks.ts'
import {
  hashOf,
  maker,
  makerOf,
  newAuction,
  newAuctionQuote,
  newQuote,
  now,
  openedAt,
  other,
  poolId,
  rfqId,
  runAuction,
  seriesKey,
} from '../storedQuotes.ts'
import { describeAuctions } from './auctionContract.ts'
import type { Histories } from './auctionHistories.ts'
import { describeControls } from './controlsContract.ts'
import { describeMakers } from './makerContract.ts'
import { describeStatuses } from './statusContract.ts'

/**
 * Tests for every store. `create` returns an empty store. After the test, the store is passed to `release`, which
 * closes it by default. The tests run auction `histories` if they are given. `forgets` is true if every write prunes,
 * and `isShared` is true if several processes may share the store.
 */
export function describeStoreContract(
  name: string,
  create: () => Promise<Store>,
  {
    histories,
    release = (store: Store) => store.close(),
    forgets = false,
    isShared = false,
  }: {
    histories?: Histories
    release?: (store: Store) => Promise<void>
    forgets?: boolean
    isShared?: boolean
  } = {},
): void {
  describe(`store contract: ${name}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await create()
    })
    afterEach(() => release(store))
    /** Defines a test only for stores that several instances share. */
    const testShared = (name: string, run: () => Promise<void>) => {
      if (isShared) test(name, run)
    }
    /** A series whose expiry is `now`. */
    const over = { seriesKey: hashOf(8), expiry: Number(now) }

    describe('quotes', () => {
      test('behavior: any quote is read back unchanged', async () => {
        const uint256 = fc.bigInt({ min: 0n, max: maxUint256 })
        const word = fc
          .bigInt({ min: 0n, max: maxUint256 })
          .map((value): Hex => `0x${value.toString(16).padStart(64, '0')}`)
        const terms = fc.record({
          ...{ notional: uint256, vrtAmount: uint256, nonce: uint256, salt: word, poolId: word },
          deadline: fc.bigInt({ min: forgets ? now : 0n, max: maxUint256 }),
        })
        let n = 0
        await fc.assert(
          fc.asyncProperty(terms, async (given) => {
            n += 1
            const quote = newQuote(n, given)
            const kept = { ...quote, status: 'active', listed: true }
            expect(await store.insertQuote(quote)).toEqual({ created: true, record: kept })
            expect(await store.findQuote(quote.hash)).toEqual(kept)
          }),
          { numRuns: 30 },
        )
        expect(await store.findQuote(hashOf(1_000))).toBeNull()
      })

      test('behavior: inserting the same hash again changes nothing, even concurrently', async () => {
        const first = newQuote(1)
        const again = { ...first, apr: 99, createdAt: first.createdAt + 5 }
        const answers = await Promise.all([store.insertQuote(first), store.insertQuote(first)])
        expect(answers.map(({ created }) => created).sort()).toEqual([false, true])
        const kept = { ...first, status: 'active', listed: true }
        expect(await store.insertQuote(again)).toEqual({ created: false, record: kept })
        expect(await store.findQuote(first.hash)).toEqual(kept)
      })

      test('behavior: of simultaneous quotes as many are taken as the limit allows', async () => {
        const limit = { most: 3, now }
        await store.insertQuote(newQuote(1, { deadline: now - 1n }), limit)
        const given = Array.from({ length: 8 }, (_, n) => newQuote(n + 2))
        const answers = await Promise.all(given.map((quote) => store.insertQuote(quote, limit)))
        expect(answers.filter(({ record }) => record !== null)).toHaveLength(3)
        expect(answers.find(({ record }) => record === null)).toEqual({ created: false, record: null, open: 3 })
        expect(await store.countQuotes(maker, now)).toBe(3)
        // Resubmitting existing quotes uses no slot, and each maker has its own limit.
        const [kept] = given.filter((_, index) => answers[index]?.record)
        const again = { created: false, record: { listed: true } }
        expect(kept && (await store.insertQuote(kept, limit))).toMatchObject(again)
        expect(await store.insertQuote(newQuote(99, { maker: other }), limit)).toMatchObject({ created: true })
      })

      test('behavior: a quote that has ended takes no place, one that a reorganisation opens again does', async () => {
        const publish = async (n: number, most: number, at = now) =>
          (await store.insertQuote(newQuote(n, { deadline: at + 60n }), { most, now: at })).created
        expect([await publish(1, 1), await publish(2, 1)]).toEqual([true, false])
        await applyBlock(store, 1, filled(1))
        expect([await publish(2, 1), await publish(3, 1)]).toEqual([true, false])
        await rollBackTo(store, null)
        expect([await publish(3, 3), await publish(4, 3)]).toEqual([true, false])
        expect(await store.countQuotes(maker, now)).toBe(3)
        // By that time, all earlier quotes have expired.
        expect(await publish(5, 1, now + 61n)).toBe(true)
      })

      test('behavior: counts and commitments include only published, active, unexpired quotes', async () => {
        await store.insertQuote(newQuote(1, { deadline: now - 1n }))
        await store.insertQuote(newQuote(2, { deadline: maxUint256, notional: 2n }))
        await store.insertQuote(newQuote(3, { maker: other, notional: maxUint256 }))
        await store.insertQuote(newQuote(4))
        await runAuction(store, newAuction(), [newAuctionQuote(5, rfqId, { maker })])
        await applyBlock(store, 1, cancelled(4))
        for (const [of, count] of [
          [maker, 1],
          [maker.toLowerCase() as Address, 1],
          [zeroAddress, 0],
        ] as const) {
          expect(await store.countQuotes(of, now)).toBe(count)
          expect(await store.listCommitments([of], now)).toHaveLength(count)
        }
        await store.insertQuote(newQuote(6, { notional: 5n }))
        // The commitments in a series end when it expires.
        await store.insertQuote(newQuote(7, { seriesKey: over.seriesKey }))
        await applyBlock(store, 2, seriesCreated(over))
        const [own, others] = [
          { maker, poolId, notional: 7n },
          { maker: other, poolId, notional: maxUint256 },
        ]
        expect(await store.listCommitments([maker], now)).toEqual([own])
        expect(await store.listCommitments([maker, other], now)).toEqual(expect.arrayContaining([own, others]))
        expect(await store.listCommitments([], now)).toEqual([])
      })

      test("behavior: the statuses of a maker's published quotes, latest deadline first, in pages", async () => {
        // Late enough even for a store that prunes while the auction below is running.
        const later = now + 100_000n
        for (let n = 1; n <= 6; n += 1) await store.insertQuote(newQuote(n, { deadline: later + BigInt(n % 4) }))
        await store.insertQuote(newQuote(7, { deadline: now - 1n }))
        await store.insertQuote(newQuote(8, { seriesKey: over.seriesKey, deadline: later + 9n }))
        await store.insertQuote(newQuote(9, { maker: other }))
        await runAuction(store, newAuction(), [newAuctionQuote(10, rfqId, { maker })])
        const ends = [filled(1), cancelled(2), filled(3), filled(9)]
        await applyBlock(store, 1, ...ends, seriesCreated(over))
        const of = async (status: PublishedQuoteFilters['status']) =>
          (await store.listPublishedQuotes({ maker, status }, now)).quotes.map(({ hash }) => Number(hash))
        expect(await of('filled')).toEqual([3, 1])
        expect(await of('cancelled')).toEqual([2])
        expect(await of('nonce_raised')).toEqual([])
        expect(await of('expired')).toEqual([8, 7])
        // Among quotes with equal deadlines, the newest comes first.
        const all = [8, 3, 6, 2, 5, 1, 4, 7]
        expect(await of('all')).toEqual(all)
        const [latest] = (await store.listPublishedQuotes({ maker, status: 'filled' }, now)).quotes
        expect(latest).toMatchObject({ status: 'filled', listed: true, seenAt: { blockNumber: 1n } })
        const pages = await allPages((cursor) =>
          store.listPublishedQuotes({ maker, status: 'all', limit: 3, ...cursor }, now),
        )
        expect(pages.flatMap(({ quotes }) => quotes.map(({ hash }) => Number(hash)))).toEqual(all)
      })
    })

    test('listLargestFills: the largest fill of each maker in each series since a block', async () => {
      const fills = [opened(1, { notional: 256n }), opened(2, { notional: 3n }), opened(3, { maker: other })]
      await applyBlock(store, 1, seriesCreated({ cap: 900n }), ...fills)
      expect(await store.listLargestFills([maker], 0n)).toEqual([{ maker, poolId, notional: 256n, cap: 900n }])
      expect(await store.listLargestFills([maker, other], 1n)).toHaveLength(2)
      expect(await store.listLargestFills([maker, other], 2n)).toEqual([])
      expect(await store.listLargestFills([], 0n)).toEqual([])
      await rollBackTo(store, null)
      expect(await store.listLargestFills([maker], 0n)).toEqual([])
    })

    test("countTaker: a verified taker's auctions since a time, and its positions since a block", async () => {
      const taker = makerOf(7)
      const asked = (n: number, terms: Partial<RFQ> = {}) =>
        store.openAuction(
          newAuction(toRfqId(n.toString(16).padStart(32, '0')), { taker, takerVerified: true, openedAt: n, ...terms }),
        )
      for (const n of [1, 2, 3]) await asked(n)
      await asked(4, { takerVerified: false })
      await asked(5, { taker: other })
      await asked(6, { taker: taker.toLowerCase() as Address })
      await applyBlock(store, 1, opened(1, { borrower: taker }))
      await applyBlock(store, 2, opened(2, { borrower: taker }), opened(3, { borrower: taker }), opened(4))
      const countFrom = (since: number, from: bigint, most = 9) => store.countTaker({ taker, since, from, most })
      expect(await countFrom(2, 2n)).toEqual({ asked: 3, taken: 2 })
      expect(await countFrom(3, 3n)).toEqual({ asked: 2, taken: 0 })
      for (const isSettled of [false, true]) {
        if (isSettled) await applyBlock(store, 3, settled(2))
        expect(await countFrom(0, 0n)).toEqual({ asked: 4, taken: 3 })
        expect(await countFrom(0, 0n, 2)).toEqual({ asked: 2, taken: 2 })
      }
      expect(await store.countTaker({ taker: maker, since: 0, from: 0n, most: 9 })).toEqual({ asked: 0, taken: 0 })
    })

    test('listTaken: what a verified taker has taken in each of its open auctions', async () => {
      const taker = makerOf(7)
      const [open, closed, unverified] = [1, 2, 3].map((n) => toRfqId(n.toString(16).padStart(32, '0'))) as [
        RfqId,
        RfqId,
        RfqId,
      ]
      const auction = (id: RfqId, takerVerified = true) => newAuction(id, { taker, takerVerified })
      await runAuction(store, auction(closed), [newAuctionQuote(1, closed)])
      await store.openAuction(auction(unverified, false))
      await store.acceptQuote(newAuctionQuote(2, unverified), openedAt)
      await store.openAuction(auction(open))
      for (const n of [3, 4, 5, 6]) await store.acceptQuote(newAuctionQuote(n, open), openedAt)
      expect(await store.listTaken(taker)).toEqual(new Map())
      const fill = (n: number, borrower = taker) => [opened(n, { maker: makerOf(n), borrower }), filled(n)]
      // Another account took the quote of maker 5.
      const facts = [...[1, 2, 3, 4].flatMap((n) => fill(n)), ...fill(5, other), cancelled(6)]
      await store.applyBlocks(bundleOf(1, null, facts))
      expect(await store.listTaken(taker)).toEqual(new Map([[publicRfqId(open), 70n]]))
      expect(await store.listTaken(other)).toEqual(new Map())
      await rollBackTo(store, null)
      expect(await store.listTaken(taker)).toEqual(new Map())
    })

    describe('listQuotes', () => {
      const hashes = async (filters: QuoteFilters, at = now) =>
        (await store.listQuotes(filters, at)).quotes.map((record) => Number(record.parse().hash))

      test('behavior: shows quotes until the last second of their deadline and series', async () => {
        await store.insertQuote(newQuote(1, { deadline: now }))
        await store.insertQuote(newQuote(2, { deadline: now - 1n }))
        await store.insertQuote(newQuote(3, { seriesKey: over.seriesKey }))
        await applyBlock(store, 1, seriesCreated({ ...over, expiry: Number(now) + 1 }))
        const [newest] = (await store.listQuotes({}, now)).quotes
        expect(newest?.parse()).toMatchObject({ seriesExpiry: Number(now) + 1 })
        expect([await hashes({}), await hashes({}, now + 1n)]).toEqual([[3, 1], []])
      })

      test('behavior: never shows unpublished quotes', async () => {
        await runAuction(store, newAuction(), [newAuctionQuote(1)])
        expect(await hashes({})).toEqual([])
      })

      test("behavior: a series' offers by size, best price first, with a limit per maker", async () => {
        const seed = drawSeed()
        const offer = fc.record({
          of: fc.nat(5),
          notional: fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(2n ** 126n, 2n ** 127n - 1n)),
          cost: fc.bigInt(0n, 6n),
          flaw: fc.constantFrom({}, {}, {}, { deadline: now - 1n }, { taker: other }, { seriesKey: poolId }),
        })
        const all = fc.sample(offer, { seed, numRuns: 400 })
        const priced = all.map((one) => ({
          ...one,
          vrtAmount: one.notional < 41n ? one.cost : (one.notional * one.cost) / 50n,
        }))
        for (const [n, { of, notional, vrtAmount, flaw }] of priced.entries()) {
          // The rate at creation does not matter.
          const rest = { apr: (n * 7) % 5 }
          await store.insertQuote(
            newQuote(n, { maker: makerOf(of), notional, vrtAmount, deadline: now, ...flaw }, rest),
          )
        }
        const good = priced.filter(({ flaw }) => Object.keys(flaw).length === 0).sort((a, b) => priceOf(a) - priceOf(b))
        let found = 0
        const ranges = fc.tuple(fc.bigInt(1n, 45n), fc.bigInt(0n, 30n), fc.constantFrom(0n, 2n ** 126n))
        for (const [low, width, far] of fc.sample(ranges, { seed, numRuns: 60 })) {
          const [least, most] = [low + far, (low + width) * (far === 0n ? 1n : 2n) + far]
          for (const [perMaker, limit, without] of [
            [1, 100, null],
            [3, 7, null],
            [20, 100, 0],
          ] as [number, number, number | null][]) {
            const left = [0, 1, 2, 3, 4, 5].map((of) => (of === without ? 0 : perMaker))
            const expected = good
              .filter(({ notional }) => notional >= least && notional <= most)
              .filter(({ of }) => {
                const place = left[of] ?? 0
                left[of] = place - 1
                return place > 0
              })
              .slice(0, limit)
            const skipped =
              without === null ? {} : { without: [makerOf(9), makerOf(without)], alsoWithout: [makerOf(8)] }
            const offers = await store.listOffers({ seriesKey, least, most, perMaker, limit, ...skipped }, now)
            expect([seed, ...offers.map(({ quote }) => priceOf(quote))]).toEqual([seed, ...expected.map(priceOf)])
            found += offers.length
          }
        }
        expect(found).toBeGreaterThan(500)
      })

      test.each([
        ['rate', ({ quote }: { quote: SignedQuote }) => Number(quote.vrtAmount)],
        ['created', ({ createdAt }: { createdAt: number }) => -createdAt],
        ['deadline', ({ quote }: { quote: SignedQuote }) => Number(quote.deadline)],
      ] as const)('behavior: pages by %s hold every quote once, ties and newcomers included', async (sort, keyOf) => {
        const given = Array.from({ length: 20 }, (_, index) => {
          const n = index + 1
          const terms = { deadline: now + 1n + BigInt(n % 5), vrtAmount: BigInt(1 + (n % 7)) }
          return newQuote(n, terms, { createdAt: n % 3 })
        })
        await applyBlock(store, 1, seriesCreated())
        for (const quote of given) await store.insertQuote(quote)
        const all = await hashes({ sort, limit: 100 })
        const keys = all.map((hash) => keyOf(given[hash - 1] as (typeof given)[0]))
        expect(keys).toEqual(given.map(keyOf).sort((a, b) => a - b))
        const seen: number[] = []
        await allPages(async (cursor) => {
          const page = await store.listQuotes({ sort, limit: 3, ...cursor }, now)
          seen.push(...page.quotes.map((record) => Number(record.parse().hash)))
          // A new quote that sorts first must not push earlier quotes onto the next page.
          await store.insertQuote(newQuote(1_000 + seen.length, { deadline: now, vrtAmount: 0n }, { createdAt: 1e12 }))
          return page
        })
        expect(seen).toEqual(all)
      })

      test('behavior: a list of several series is ordered by the effective APY at its first page', async () => {
        const day = 86_400
        const soon = { ...seriesCreated({ seriesKey: hashOf(81) }), expiry: Number(now) + 10 * day }
        const late = { ...seriesCreated({ seriesKey: hashOf(82) }), expiry: Number(now) + 100 * day }
        await applyBlock(store, 1, poolCreated, soon, late, seriesCreated({ ...over, expiry: Number(now) + day }))
        const until = { deadline: now + BigInt(99 * day) }
        const insert = (n: number, series: typeof soon, vrtAmount: bigint) =>
          store.insertQuote(newQuote(n, { ...until, seriesKey: series.seriesKey, vrtAmount }))
        await insert(1, late, 9n)
        await insert(2, late, 30n)
        await insert(3, soon, 1n)
        // Half of the notional is the most that has an effective APY.
        await insert(4, late, 501n)
        await insert(5, soon, 500n)
        await store.insertQuote(newQuote(6, { ...until, seriesKey: over.seriesKey, vrtAmount: 0n }))
        // Not in the list, because nothing is known of its series.
        await store.insertQuote(newQuote(7, { ...until, seriesKey: hashOf(83), vrtAmount: 0n }))
        expect(await hashes({ sort: 'rate' })).toEqual([6, 1, 3, 2, 5, 4])
        expect(await hashes({ sort: 'rate', maker })).toEqual([6, 1, 3, 2, 5, 4])
        expect(await hashes({ sort: 'rate', poolId: hashOf(9) })).toEqual([])
        expect(await hashes({ sort: 'rate', seriesKey: hashOf(83) })).toEqual([7])
        // With less time left, the same cost is a higher rate. A list that has begun keeps its order.
        const later = now + BigInt(8 * day)
        expect(await hashes({ sort: 'rate' }, later)).toEqual([1, 2, 3, 5, 4])
        const first = await store.listQuotes({ sort: 'rate', limit: 2 }, now)
        const cursor = first.nextCursor ?? ''
        expect(await hashes({ sort: 'rate', cursor }, later)).toEqual([3, 2, 5, 4])
      })

      test('behavior: pages by rate hold every quote once while time passes and quotes are inserted', async () => {
        const seed = drawSeed()
        const [day, seriesCount] = [86_400, 5]
        // Two pools, and two series with the same expiry.
        const series = Array.from({ length: seriesCount }, (_, n) =>
          seriesCreated({
            ...{ seriesKey: hashOf(900 + n), poolId: n % 2 === 0 ? poolId : seriesKey },
            expiry: Number(now) + (n < 2 ? 3 : n) * day,
          }),
        )
        await applyBlock(store, 1, ...series)
        const terms = fc.record({
          ...{ of: fc.nat(seriesCount - 1), maker: fc.nat(4), notional: fc.constantFrom(10n, 100n, 1_000n, 3n) },
          share: fc.oneof(fc.nat(4), fc.nat(1_000)),
        })
        let inserted = 0
        const quotesOf = (count: number, from: number) =>
          fc.sample(terms, { seed: seed + from, numRuns: count }).map(({ of, maker, notional, share }) => {
            inserted += 1
            const { poolId, seriesKey } = series[of] as (typeof series)[0]
            const vrtAmount = (notional * BigInt(share)) / 1_000n
            const deadline = now + BigInt(day)
            return newQuote(inserted, { maker: makerOf(maker), poolId, seriesKey, notional, vrtAmount, deadline })
          })
        const given = quotesOf(1_400, 0)
        for (const quote of given) await store.insertQuote(quote)
        const expiryOf = (key: Hex) => series.find((one) => one.seriesKey === key)?.expiry ?? 0
        const costOf = ({ quote }: { quote: SignedQuote }) =>
          costPerSecond(priceOf(quote), expiryOf(quote.seriesKey) - Number(now))
        const [without, single] = [makerOf(3), series[2]?.seriesKey ?? hashOf(0)]
        const hidden = series[0]?.seriesKey ?? hashOf(0)
        const withoutSeries = new Set([hidden])
        for (const [filters, limit] of [
          [{}, 50],
          [{ poolId }, 7],
          [{ seriesKey: single }, 30],
          [{ seriesKey: hidden }, 30],
          [{ maker: makerOf(1) }, 40],
          [{ seriesKey: single, maker: makerOf(2) }, 5],
          [{ minNotional: 3n, maxNotional: 3n }, 100],
          [{ poolId, minNotional: 1_000n, maker: makerOf(2) }, 9],
          [{ minNotional: 4n, maxNotional: 9n }, 100],
        ] as [QuoteFilters, number][]) {
          const { minNotional = 0n, maxNotional = maxUint256, ...exact } = filters
          const isWanted = ({ quote }: { quote: SignedQuote }) =>
            quote.maker !== without &&
            !withoutSeries.has(quote.seriesKey) &&
            quote.notional >= minNotional &&
            quote.notional <= maxNotional &&
            Object.entries(exact).every(([name, value]) => quote[name as 'maker'] === value)
          const before = given.filter(isWanted)
          const newcomers = new Set<Hex>()
          let time = now
          const pages = await allPages(async (cursor) => {
            const page = await store.listQuotes({ ...filters, sort: 'rate', withoutSeries, limit, ...cursor }, time, [
              without,
            ])
            time += 60n
            for (const quote of quotesOf(2, inserted)) {
              await store.insertQuote(quote)
              given.push(quote)
              newcomers.add(quote.hash)
            }
            return page
          })
          const seen = pages.flatMap(({ quotes }) => quotes.map((record) => record.parse()))
          const kept = seen.filter(({ hash }) => !newcomers.has(hash))
          expect({ seed, filters, seen: kept.map(({ hash }) => hash).sort() }).toEqual({
            ...{ seed, filters },
            seen: before.map(({ hash }) => hash).sort(),
          })
          expect(new Set(seen.map(({ hash }) => hash)).size).toBe(seen.length)
          // Newcomers are in order, too.
          for (const [index, quote] of seen.entries()) {
            const next = seen[index + 1]
            if (!next) continue
            expect([seed, costOf(quote) <= costOf(next)]).toEqual([seed, true])
            if (quote.quote.seriesKey !== next.quote.seriesKey || costOf(quote) !== costOf(next)) continue
            if (priceOf(quote.quote) !== priceOf(next.quote)) continue
            expect([seed, Number(quote.hash) < Number(next.hash)]).toEqual([seed, true])
          }
        }
      }, 60_000)

      test('behavior: a filter that matches few of many quotes is served in pages, each quote once', async () => {
        const [rare, skipped] = [makerOf(7), makerOf(8)]
        const sizes: Record<number, bigint> = { 100: 2n ** 64n, 200: maxUint256 }
        const all = Array.from({ length: 1_500 }, (_, n) =>
          newQuote(
            n + 1,
            {
              maker: n % 500 === 3 ? rare : n % 800 === 5 ? skipped : maker,
              taker: n % 400 === 5 ? rare : n % 2 === 0 ? other : zeroAddress,
              notional: n % 700 === 9 ? 5n : (sizes[n] ?? 1_000n),
              // One pool has few quotes, and another has many.
              ...(n % 600 === 11 && { poolId: seriesKey, seriesKey: poolId }),
              deadline: now + BigInt(n % 97),
            },
            { createdAt: Number(now) * 1000 + (n % 90) },
          ),
        )
        await applyBlock(store, 1, seriesCreated(), seriesCreated({ poolId: seriesKey, seriesKey: poolId }))
        await Promise.all(all.map((quote) => store.insertQuote(quote)))
        let shortPages = 0
        for (const sort of ['rate', 'created', 'deadline'] as const) {
          // All quotes from one maker, for one taker or in a rare pool fit on one page.
          for (const [filters, isWhole] of [
            [{ maker: rare }, true],
            [{ taker: rare }, true],
            [{ taker: other, poolId }, false],
            [{ taker: zeroAddress, maxNotional: 5n }, false],
            [{ maxNotional: 5n }, false],
            [{ maxNotional: 4n }, false],
            [{ minNotional: 1_001n }, false],
            [{ minNotional: 2n ** 64n, maxNotional: 2n ** 64n }, false],
            [{ minNotional: maxUint256 }, false],
            [{ poolId, maxNotional: 5n }, false],
            [{ seriesKey: poolId }, true],
            [{ poolId: seriesKey, minNotional: 5n }, true],
            [{ seriesKey, maker: rare, minNotional: 6n }, true],
          ] as [QuoteFilters, boolean][]) {
            const { minNotional = 0n, maxNotional = maxUint256, ...exact } = filters
            const expected = all.filter(
              ({ quote }) =>
                (sort !== 'rate' || quote.maker !== skipped) &&
                quote.notional >= minNotional &&
                quote.notional <= maxNotional &&
                Object.entries(exact).every(([name, value]) => quote[name as 'maker'] === value),
            )
            const query = { ...filters, sort, limit: 100 }
            const pages = await allPages((cursor) => store.listQuotes({ ...query, ...cursor }, now, [skipped]))
            shortPages += pages.slice(0, -1).filter(({ quotes }) => quotes.length < 100).length
            if (isWhole) expect({ filters, sort, pages: pages.length }).toEqual({ filters, sort, pages: 1 })
            const seen = pages.flatMap(({ quotes }) => quotes.map((record) => record.parse().hash))
            expect({ filters, sort, seen: seen.sort() }).toEqual({
              ...{ filters, sort },
              seen: expected.map(({ hash }) => hash).sort(),
            })
          }
        }
        expect(shortPages).toBeGreaterThan(9)
      }, 30_000)
    })

    test('error: a malformed cursor, or a cursor of another list', async () => {
      await applyBlock(
        store,
        1,
        poolCreated,
        seriesCreated(),
        ...[1, 2, 3, 4].map((n) => opened(n)),
        settled(3),
        settled(4),
      )
      for (const n of [1, 2]) {
        await store.insertQuote(newQuote(n))
        const id = toRfqId(`${n}`.repeat(32))
        await runAuction(store, newAuction(id), [newAuctionQuote(10 + n, id, { maker })])
      }
      const limit = 1
      const account = maker
      const lists: ((cursor: { cursor?: string }) => Promise<{ nextCursor: string | null }>)[] = [
        (cursor) => store.listQuotes({ sort: 'rate', limit, ...cursor }, now),
        (cursor) => store.listQuotes({ sort: 'created', limit, ...cursor }, now),
        (cursor) => store.listQuotes({ sort: 'deadline', limit, ...cursor }, now),
        (cursor) => store.listPublishedQuotes({ maker, status: 'all', limit, ...cursor }, now),
        (cursor) => store.listMakerQuotes(maker, { limit, ...cursor }, now),
        (cursor) => store.listMakerAuctions(maker, { limit, ...cursor }),
        (cursor) => store.listPositions({ account, status: 'open', limit, ...cursor }),
        (cursor) => store.listPositions({ account, status: 'all', limit, ...cursor }),
      ]
      const texts = ['["rate"]', '["created","1","00"]', '["open",1]', '{"__proto__":1}']
      const nonsense = ['nonsense', '', '[]', ...texts.map((text) => Buffer.from(text).toString('base64url'))]
      const own = await Promise.all(lists.map(async (list) => (await list({})).nextCursor ?? 'none'))
      // Other lists with the same order accept the cursor.
      const orderOf = (cursor: string) => String(JSON.parse(Buffer.from(cursor, 'base64url').toString())[0])
      expect(new Set(own.map(orderOf)).size).toBe(lists.length - 1)
      for (const [index, list] of lists.entries()) {
        const others = own.filter((one) => orderOf(one) !== orderOf(own[index] ?? ''))
        for (const cursor of [...nonsense, ...others]) {
          const failure = await list({ cursor }).catch((error: unknown) => error)
          expect([index, cursor, failure]).toEqual([index, cursor, expect.any(InvalidInputError)])
          expect(failure).toMatchObject({ path: 'cursor' })
        }
      }
    })

    describeAuctions(() => store, histories)
    describeStatuses(() => store)
    describeMakers(() => store)
    describeControls(() => store)

    describe('chain', () => {
      const seenIn = (block: number, logIndex = 0) => ({
        blockNumber: BigInt(block),
        blockHash: blockOf(block).hash,
        transactionHash: hashOf(block * 1_000 + logIndex),
      })
      const statusOf = async (n: number) => (await store.findQuote(hashOf(n)))?.status

      test('default', async () => {
        expect(await store.findSyncPosition()).toEqual({ cursor: null, blocks: [] })
        await store.applyBlocks(
          updateOf(7, null, [poolCreated, seriesCreated({ cap: maxUint256 }), seriesCreated(over)]),
        )
        const { number, hash } = blockOf(7)
        expect(await store.findSyncPosition()).toEqual({ cursor: blockOf(7), blocks: [{ number, hash }] })
        expect(await store.listPools()).toEqual([pool])
        const [soon, late] = await store.listSeries()
        expect([soon, late]).toEqual([
          { poolId, ...over, cap: 1_000n },
          { poolId, seriesKey, expiry: 2_000_000_000, cap: maxUint256 },
        ])
        expect(await store.listSeries(poolId)).toEqual([soon, late])
        expect(await store.listSeries(hashOf(1))).toEqual([])
      })

      describe('positions', () => {
        type Query = Omit<PositionQuery, 'account' | 'limit'> & { limit?: number }
        const pagesOf = async (query: Query, account = maker) => {
          const pages = await allPages((cursor) => store.listPositions({ account, limit: 500, ...query, ...cursor }))
          return pages.map(({ positions }) => positions.map(({ positionId }) => Number(positionId)))
        }
        const idsOf = async (status: Query['status'], account = maker) => (await pagesOf({ status }, account)).flat()

        test('default', async () => {
          const query = { account: maker, status: 'all', limit: 10 } as const
          const none = { block: null, positions: [], openSeries: [], nextCursor: null }
          expect(await store.listPositions(query)).toEqual(none)
          const facts = [opened(1), opened(2), opened(3, { maker: other }), settled(1)]
          await store.applyBlocks(updateOf(7, null, [poolCreated, seriesCreated(), ...facts]))
          const kept = (n: number) => ({ ...positionOf(n), openedAtBlock: 7n })
          const terms = { loanToken: pool.loanToken, expiry: seriesCreated().expiry }
          const settlement = { toBorrower: 1n, toMaker: 6n, blockNumber: 7n, transactionHash: hashOf(7_005) }
          expect(await store.listPositions(query)).toEqual({
            block: blockOf(7),
            positions: [
              { ...kept(2), ...terms, settlement: null },
              { ...kept(1), ...terms, settlement },
            ],
            // Other accounts hold the last position in the series.
            openSeries: [{ seriesKey, adapter: pool.adapter, market: pool.market, lastPositionId: 3n }],
            nextCursor: null,
          })
          const ended = { positions: [{ positionId: 1n }], openSeries: [] }
          expect(await store.listPositions({ ...query, status: 'settled' })).toMatchObject(ended)
          expect(await idsOf('open')).toEqual([2])
          expect(await idsOf('all', other)).toEqual([3, 2, 1])
          expect(await idsOf('all', zeroAddress)).toEqual([])
          const { expiry } = terms
          expect(await store.listOpenPositions(maker)).toEqual([{ ...kept(2), expiry }])
          expect(await store.listOpenPositions(other)).toEqual([
            { ...kept(2), expiry },
            { ...kept(3), maker: other, expiry },
          ])
          expect(await store.listOpenPositions(zeroAddress)).toEqual([])
          const [series] = (await store.listPositions({ ...query, status: 'open' })).openSeries
          expect(await store.listExpiredSeries(expiry - 1)).toEqual([])
          expect(await store.listExpiredSeries(expiry)).toEqual([{ ...series, expiry }])
        })

        test('behavior: pages contain every position once, open ones oldest first and others newest first', async () => {
          const sides = [{}, { maker: other, borrower: maker }, { borrower: maker }]
          const all = Array.from({ length: 300 }, (_, index) => index + 1)
          const [odd, even] = [all.filter((id) => id % 2 === 1), all.filter((id) => id % 2 === 0)]
          const facts = [...all.map((id) => opened(id, sides[id % 3])), ...even.map(settled)]
          await applyBlock(store, 1, poolCreated, seriesCreated(), ...facts)
          const expected = { open: odd, settled: even.reverse(), all: all.reverse() }
          for (const status of ['open', 'settled', 'all'] as const) {
            for (const limit of [7, expected[status].length, 500]) {
              const pages = await pagesOf({ status, limit })
              expect(pages.flat()).toEqual(expected[status])
              expect(pages).toHaveLength(Math.ceil(expected[status].length / limit))
            }
          }
        })

        test('behavior: a rollback reopens positions settled above the block', async () => {
          const ids = async () => [await idsOf('open'), await idsOf('settled')]
          await applyBlock(store, 1, poolCreated, seriesCreated(), opened(1))
          await applyBlock(store, 2, opened(2), settled(2))
          await applyBlock(store, 3, settled(1), opened(3))
          expect(await ids()).toEqual([[3], [2, 1]])
          await rollBackTo(store, blockOf(2))
          expect(await ids()).toEqual([[1], [2]])
          await applyBlock(store, 3, settled(1))
          expect(await ids()).toEqual([[], [2, 1]])
        })
      })

      test('behavior: events end stored quotes and record where, and a rollback reopens them', async () => {
        for (const n of [1, 2, 3]) await store.insertQuote(newQuote(n, { nonce: n === 3 ? 1n : 0n }))
        await applyBlock(store, 1, filled(1))
        await applyBlock(store, 2, raised(1n))
        expect(await store.findQuote(hashOf(1))).toMatchObject({ status: 'filled', seenAt: seenIn(1) })
        expect(await store.findQuote(hashOf(2))).toMatchObject({ status: 'nonce_raised', seenAt: seenIn(2) })
        expect(await statusOf(3)).toBe('active')
        await applyBlock(store, 3, raised(2n), cancelled(2))
        expect(await store.findQuote(hashOf(2))).toMatchObject({ status: 'cancelled', seenAt: seenIn(3, 1) })
        expect(await store.findQuote(hashOf(3))).toMatchObject({ status: 'nonce_raised', seenAt: seenIn(3) })
        expect((await store.listQuotes({}, now)).quotes).toEqual([])

        await rollBackTo(store, blockOf(2))
        expect(await store.findQuote(hashOf(2))).toMatchObject({ status: 'nonce_raised', seenAt: seenIn(2) })
        expect(await statusOf(3)).toBe('active')
        const blocks = [{ number: 1n }, { number: 2n }]
        expect(await store.findSyncPosition()).toMatchObject({ cursor: blockOf(2), blocks })
        await rollBackTo(store, null)
        expect(await store.findSyncPosition()).toEqual({ cursor: null, blocks: [] })
        const again = await store.findQuote(hashOf(1))
        expect(again?.status).toBe('active')
        expect(again).not.toHaveProperty('seenAt')
        expect((await store.listQuotes({}, now)).quotes).toHaveLength(3)
      })

      test('behavior: a quote stored after its end is never active', async () => {
        await applyBlock(store, 1, cancelled(1), cancelled(2), raised(1n))
        expect(await store.insertQuote(newQuote(1))).toMatchObject({ created: true, record: { status: 'cancelled' } })
        expect(await store.insertQuote(newQuote(3))).toMatchObject({ record: { status: 'nonce_raised' } })
        await runAuction(store, newAuction(), [newAuctionQuote(2)])
        expect(await statusOf(2)).toBe('cancelled')
      })

      test('behavior: a bounded number of blocks is stored, but every block with an event is a checkpoint', async () => {
        await applyBlock(store, 1, raised(1n))
        for (let n = 2; n <= 6; n += 1) await store.applyBlocks({ ...updateOf(n, n - 1, []), keep: 3 })
        expect((await store.findSyncPosition()).blocks.map(({ number }) => Number(number))).toEqual([4, 5, 6])
        expect(await store.findCheckpoint(6n)).toEqual({ number: 1n, hash: blockOf(1).hash })
        expect(await store.findCheckpoint(0n)).toBeNull()
        await rollBackTo(store, blockOf(1))
        expect(await store.findSyncPosition()).toMatchObject({ cursor: blockOf(1), blocks: [{ number: 1n }] })
      })

      test('behavior: repeating an update has no effect', async () => {
        for (const n of [1, 1, 2, 2]) await applyBlock(store, n, raised(BigInt(n)))
        const blocks = [{ number: 1n }, { number: 2n }]
        expect(await store.findSyncPosition()).toMatchObject({ cursor: blockOf(2), blocks })
        const undoing = { from: blockOf(2), to: blockOf(1), at: toldAt }
        await store.rollBack(undoing)
        await store.rollBack(undoing)
        expect(await store.findCheckpoint(9n)).toEqual({ number: 1n, hash: blockOf(1).hash })
      })

      test('error: a rollback from a block other than the newest changes nothing', async () => {
        for (const n of [1, 2]) await applyBlock(store, n, raised(BigInt(n)))
        for (const from of [blockOf(1), blockOf(3), { ...blockOf(2), hash: hashOf(1) }, null]) {
          await expect(store.rollBack({ from, to: null, at: toldAt })).rejects.toThrow(CursorMovedError)
        }
        expect(await store.findSyncPosition()).toMatchObject({ cursor: blockOf(2) })
        expect(await store.findCheckpoint(9n)).toMatchObject({ number: 2n })
      })

      test('behavior: the holder can renew its lease', async () => {
        for (const now of [0, 1]) expect(await store.holdLease('one', 60_000, now)).toBe(true)
      })

      testShared("behavior: one holder has the lease until it is over, by the callers' time", async () => {
        expect(await store.holdLease('one', 60_000, openedAt)).toBe(true)
        expect(await store.holdLease('two', 60_000, openedAt + 59_999)).toBe(false)
        expect(await store.holdLease('two', 60_000, openedAt + 60_000)).toBe(true)
        expect(await store.holdLease('two', 0, openedAt + 60_001)).toBe(true)
        expect(await store.holdLease('one', 60_000, openedAt + 60_001)).toBe(true)
        expect(await store.holdLease('two', 60_000, openedAt + 60_001)).toBe(false)
        // The time was set back by an hour.
        expect(await store.holdLease('two', 60_000, openedAt - 3_600_000)).toBe(true)
      })

      test('error: an update is applied completely or not at all', async () => {
        await applyBlock(store, 1, raised(1n))
        await expect(applyBlock(store, 2, cancelled(1), raised(1n))).rejects.toThrow(StorageUnavailableError)
        await expect(applyBlock(store, 3)).rejects.toThrow(CursorMovedError)
        await expect(store.applyBlocks(updateOf(2, null, []))).rejects.toThrow(CursorMovedError)
        expect(await store.findSyncPosition()).toMatchObject({ cursor: blockOf(1) })
        await store.insertQuote(newQuote(1, { nonce: 1n }))
        expect(await statusOf(1)).toBe('active')
      })
    })

    describe('claim', () => {
      const identity = { chainId: 8453, genesisHash: hashOf(1), quoteMarket: maker }

      test('default', async () => {
        await store.claim(identity)
        await store.claim({ ...identity, quoteMarket: maker.toLowerCase() as Address })
        await expect(store.ping()).resolves.toBeUndefined()
      })

      test.each([
        ['chain ID', { chainId: 1 }],
        ['genesis block', { genesisHash: hashOf(2) }],
        ['quote market', { quoteMarket: other }],
      ])('error: another %s', async (what, change) => {
        await store.claim(identity)
        const failure = store.claim({ ...identity, ...change })
        await expect(failure).rejects.toThrow(WrongDatabaseError)
        await expect(failure).rejects.toThrow(what)
        await expect(failure).rejects.toThrow(/DATA_DIR|DATABASE_URL/)
      })
    })

    describe('floating rates', () => {
      const hour = (n: number) => Number(now) + n * 3_600
      const point = (n: number, rest: Partial<RatePoint> = {}): RatePoint => ({
        ...{ poolId, hour: hour(n), block: BigInt(n + 1), ratePerSec: BigInt(1_000 + n) },
        ...rest,
      })
      const all = { poolId, from: 0, to: hour(10_000), step: 3_600 }
      const hoursOf = async (query: Partial<typeof all>) =>
        (await store.listRatePoints({ ...all, ...query })).map((one) => one.hour)
      const add = (points: readonly RatePoint[], rest: Partial<NewRatePoints> = {}) =>
        store.addRatePoints({ points, asOf: blockOf(3), keepFrom: 0, ...rest })
      beforeEach(async () => {
        for (const n of [1, 2, 3]) await applyBlock(store, n)
      })

      test("default: a pool's points in a range, oldest first, exactly as stored", async () => {
        const points = [point(2, { ratePerSec: maxUint256 }), point(0), point(1, { ratePerSec: 0n }), point(3)]
        await add([...points, point(1, { poolId: hashOf(77) })])
        const sorted = [...points].sort((a, b) => a.hour - b.hour)
        expect(await store.listRatePoints(all)).toEqual(sorted)
        expect(await store.listRatePoints({ ...all, from: hour(1), to: hour(2) })).toEqual(sorted.slice(1, 3))
        expect(await hoursOf({ from: hour(1) + 1, to: hour(2) - 1 })).toEqual([])
        expect(await hoursOf({ poolId: hashOf(78) })).toEqual([])
        const known = await store.listRateHours({ from: hour(1), to: hour(2) })
        expect(known.map((one) => one.hour)).toEqual([hour(2), hour(1), hour(1)])
        expect(known).toContainEqual({ poolId: hashOf(77), hour: hour(1), block: 2n })
      })

      test('behavior: daily, with the first point of each day', async () => {
        await add([0, 23, 24, 30, 47, 80].map((n) => point(n)))
        expect(await hoursOf({ step: 86_400 })).toEqual([0, 24, 80].map(hour))
        expect(await hoursOf({ step: 86_400, from: hour(25) })).toEqual([30, 80].map(hour))
      })

      test('behavior: stored points stay unchanged until they are pruned, even with concurrent writes', async () => {
        await add([point(0)])
        await Promise.all([1, 2, 3].map((n) => add([point(0, { ratePerSec: BigInt(n) }), point(1)])))
        expect(await store.listRatePoints(all)).toEqual([point(0), point(1)])
        await add([], { keepFrom: hour(1) })
        expect(await store.listRatePoints(all)).toEqual([point(1)])
      })

      test('behavior: a point is deleted with its block and stored again for another one', async () => {
        await add([point(0), point(1), point(2)])
        await rollBackTo(store, blockOf(2))
        expect(await store.listRatePoints(all)).toEqual([point(0), point(1)])
        await add([point(2, { ratePerSec: 7n })], { asOf: blockOf(2) })
        expect((await store.listRatePoints(all)).at(-1)).toEqual(point(2, { ratePerSec: 7n }))
      })

      test('error: rates read on a chain that was rolled back are rejected', async () => {
        await rollBackTo(store, blockOf(1))
        for (const asOf of [blockOf(2), { ...blockOf(1), hash: hashOf(1) }]) {
          await expect(add([point(0)], { asOf })).rejects.toThrow(CursorMovedError)
        }
        expect(await store.listRatePoints(all)).toEqual([])
        await add([point(0)], { asOf: blockOf(1) })
        expect(await store.listRatePoints(all)).toEqual([point(0)])
      })
    })

    describe('days of fills', () => {
      const dayLength = 86_400
      const today = Number(now) - (Number(now) % dayLength)
      const [one, two] = [hashOf(901), hashOf(902)]
      const expiry = today + 100 * dayLength
      const all = { poolId, from: 0, to: expiry, limit: 100 }
      /** The block with this number, `days` days after today. */
      const dated = (n: number, days: number) => ({ ...blockOf(n), timestamp: BigInt(today + days * dayLength + n) })
      /** A fill at this APR in percent, except for rounding, if dated today. */
      const fill = (n: number, apr: bigint, notional: bigint, rest: Partial<Position> = {}) =>
        opened(n, { seriesKey: one, notional, cost: (notional * apr * 100n) / 36_500n, ...rest })
      const days = async (query: Partial<typeof all> = {}) =>
        (await store.listFillDays({ ...all, ...query })).map(({ seriesKey, day, apr, notional, count }) => [
          ...[seriesKey === one ? 1 : 2, (day - today) / dayLength],
          ...[Math.round(apr), Number(notional), count],
        ])
      const untimed = async (above = -1n, limit = 10) =>
        (await store.listUndatedFills({ above, limit })).map(({ number }) => Number(number))

      beforeEach(async () => {
        const terms = [seriesCreated({ seriesKey: one, expiry }), seriesCreated({ seriesKey: two, expiry: expiry + 1 })]
        await applyBlock(store, 1, ...terms)
        await applyBlock(store, 2, fill(1, 5n, 4_000_000n), fill(2, 9n, 3_000_000n))
        await applyBlock(store, 3, fill(3, 0n, 3_000_000n), fill(4, 7n, 1_000_000n, { seriesKey: two }))
        await applyBlock(store, 4)
        await applyBlock(store, 5, fill(5, 8n, 2_000_000n))
      })

      test('default: the median, the sum and the count of each day and series, sorted by expiry and day', async () => {
        expect(await days()).toEqual([])
        await store.dateFills([dated(2, 0), dated(3, 0), dated(5, 1)])
        expect(await days()).toEqual([
          [1, 0, 5, 10_000_000, 3],
          [1, 1, 8, 2_000_000, 1],
          [2, 0, 7, 1_000_000, 1],
        ])
        expect(await days({ limit: 1 })).toEqual([[1, 1, 8, 2_000_000, 1]])
        expect(await days({ to: today })).toHaveLength(2)
        expect(await days({ from: today + 1 })).toEqual([[1, 1, 8, 2_000_000, 1]])
        expect(await days({ poolId: hashOf(77) })).toEqual([])
        expect((await store.listFillDays(all)).map((day) => day.expiry)).toEqual([expiry, expiry, expiry + 1])
      })

      test('behavior: the price of the median fill, also after a rollback', async () => {
        await store.dateFills([dated(2, 0), dated(3, 0)])
        const prices = async () => (await store.listFillDays(all)).map(({ price }) => price)
        const [first, second, third] = [fill(1, 5n, 4_000_000n), fill(2, 9n, 3_000_000n), fill(4, 7n, 1_000_000n)]
        const priceOf = ({ notional, cost }: typeof first, n: number) => ({
          ...{ notional, vrtAmount: cost, at: today + n },
        })
        expect(await prices()).toEqual([priceOf(first, 2), priceOf(third, 3)])
        await rollBackTo(store, blockOf(2))
        await store.dateFills([dated(2, 0)])
        expect(await prices()).toEqual([priceOf(first, 2)])
        await applyBlock(store, 3, fill(6, 9n, 1_500_000n))
        await store.dateFills([dated(3, 0)])
        expect(await prices()).toEqual([priceOf(second, 2)])
      })

      test('behavior: the price of the best offer, unless a program without prices replaced it', async () => {
        const offer = (vrtAmount: bigint) => {
          const price = { notional: 1_000n, vrtAmount, at: today + 7 }
          return { seriesKey: one, day: today, apr: quoteApr(price, expiry, price.at), notional: 1_000n, price }
        }
        const add = ({ price, ...rest }: ReturnType<typeof offer>, hasPrice = true) =>
          store.addRatePoints({
            ...{ points: [], asOf: blockOf(5), keepFrom: today },
            offers: [{ ...rest, ...(hasPrice && { price }) }],
          })
        const prices = async () => (await store.listOfferDays(all)).map(({ price }) => price)
        for (const cost of [50n, 40n, 60n]) await add(offer(cost))
        expect(await prices()).toEqual([offer(40n).price])
        await add(offer(30n), false)
        expect(await prices()).toEqual([undefined])
        await add(offer(20n))
        expect(await prices()).toEqual([offer(20n).price])
      })

      test('behavior: of the offers of a day and series the one with the lowest rate', async () => {
        const offer = (apr: number, notional: bigint, rest = {}) => ({
          seriesKey: one,
          day: today,
          apr,
          notional,
          ...rest,
        })
        const add = (...offers: ReturnType<typeof offer>[]) =>
          store.addRatePoints({ points: [], offers, asOf: blockOf(5), keepFrom: today - dayLength })
        await add(offer(5, 1n), offer(9, 2n, { seriesKey: two }))
        await add(offer(4, 3n), offer(4, 4n, { day: today + dayLength }))
        await add(offer(6, 5n), offer(4, 6n), offer(1, 7n, { day: today - 2 * dayLength }))
        const kept = async (query: Partial<typeof all> = {}) =>
          (await store.listOfferDays({ ...all, ...query })).map(({ seriesKey, expiry: until, day, apr, notional }) => [
            ...[seriesKey === one ? 1 : 2, until - expiry, (day - today) / dayLength, apr, Number(notional)],
          ])
        expect(await kept()).toEqual([
          [1, 0, 1, 4, 4],
          [1, 0, 0, 4, 3],
          [2, 1, 0, 9, 2],
        ])
        expect(await kept({ limit: 1 })).toEqual([[1, 0, 1, 4, 4]])
        expect(await kept({ to: today })).toHaveLength(2)
        expect(await kept({ from: today + 1 })).toHaveLength(1)
        expect(await kept({ poolId: hashOf(77) })).toEqual([])
      })

      test('behavior: the same days in whatever order and grouping the fills are dated', async () => {
        for (const blocks of [[dated(5, 0)], [dated(3, 0), dated(2, 0)], [dated(2, 0)]]) await store.dateFills(blocks)
        const kept = await store.listFillDays(all)
        expect(kept).toMatchObject([{ notional: 12_000_000n, count: 4 }, { count: 1 }])
        await rollBackTo(store, null)
        const terms = [seriesCreated({ seriesKey: one, expiry }), seriesCreated({ seriesKey: two, expiry: expiry + 1 })]
        await applyBlock(store, 1, ...terms)
        await applyBlock(store, 2, fill(2, 9n, 3_000_000n), fill(1, 5n, 4_000_000n))
        await applyBlock(store, 3, fill(4, 7n, 1_000_000n, { seriesKey: two }), fill(3, 0n, 3_000_000n))
        await applyBlock(store, 4)
        await applyBlock(store, 5, fill(5, 8n, 2_000_000n))
        expect(await days()).toEqual([])
        await Promise.all([2, 3, 5].map((n) => store.dateFills([dated(n, 0)])))
        expect(await store.listFillDays(all)).toEqual(kept)
      })

      test('behavior: undated fills, newest block first', async () => {
        expect(await untimed()).toEqual([5, 3, 2])
        expect(await store.listUndatedFills({ above: 4n, limit: 1 })).toEqual([{ number: 5n, hash: blockOf(5).hash }])
        expect(await untimed(2n)).toEqual([5, 3])
        expect(await untimed(-1n, 2)).toEqual([5, 3])
        await store.dateFills([dated(3, 0)])
        expect(await untimed()).toEqual([5, 2])
      })

      test('behavior: a rollback removes a fill from its day, and the day with its last fill', async () => {
        await store.dateFills([dated(2, 0), dated(3, 0), dated(5, 1)])
        await rollBackTo(store, blockOf(4))
        expect(await days()).toEqual([
          [1, 0, 5, 10_000_000, 3],
          [2, 0, 7, 1_000_000, 1],
        ])
        await rollBackTo(store, blockOf(2))
        expect(await days()).toEqual([[1, 0, 5, 7_000_000, 2]])
        // A fill that reappears in another block is undated until that block is read.
        await store.applyBlocks({ ...updateOf(3, 2, [fill(3, 0n, 9_000_000n)]), keep: 64 })
        expect(await days()).toEqual([[1, 0, 5, 7_000_000, 2]])
        await store.dateFills([dated(3, 0)])
        expect(await days()).toEqual([[1, 0, 0, 16_000_000, 3]])
        await rollBackTo(store, null)
        expect(await days()).toEqual([])
      })

      test('error: the time of a block with another hash is not stored, and a time does not change', async () => {
        await store.dateFills([{ ...dated(2, 0), hash: hashOf(1) }])
        expect([await untimed(), await days()]).toEqual([[5, 3, 2], []])
        await store.dateFills([dated(2, 0)])
        await store.dateFills([dated(2, 3)])
        expect(await days()).toEqual([[1, 0, 5, 7_000_000, 2]])
      })

      test('behavior: only the largest fills of a day count', async () => {
        const dust = Array.from({ length: fillsOfDay + 5 }, (_, index) => fill(10 + index, 0n, 36_500n))
        await applyBlock(store, 6, ...dust)
        await store.dateFills([dated(2, 0), dated(3, 0), dated(6, 0)])
        expect(await days()).toEqual([
          [1, 0, 0, 10_000_000 + (fillsOfDay - 3) * 36_500, fillsOfDay],
          [2, 0, 7, 1_000_000, 1],
        ])
        await rollBackTo(store, blockOf(5))
        expect(await days()).toEqual([
          [1, 0, 5, 10_000_000, 3],
          [2, 0, 7, 1_000_000, 1],
        ])
      })

      test('behavior: days before the history are pruned', async () => {
        await store.dateFills([dated(2, 0), dated(5, 1)])
        await store.addRatePoints({ points: [], asOf: blockOf(5), keepFrom: today + dayLength })
        expect(await days()).toEqual([[1, 1, 8, 2_000_000, 1]])
      })
    })

    test('error: a closed store', async () => {
      const waiting = store.insertQuote(newQuote(1))
      await store.close()
      await expect(waiting).resolves.toMatchObject({ created: true })
      await expect(store.ping()).rejects.toThrow(StorageUnavailableError)
      await expect(store.insertQuote(newQuote(2))).rejects.toThrow(StorageUnavailableError)
      await expect(store.probe()).rejects.toThrow(StorageUnavailableError)
    })

    test('behavior: the stored data is intact', async () => {
      while (store.integrity() === 'checking') await new Promise((resolve) => setTimeout(resolve, 5))
      expect(store.integrity()).toBe('ok')
    })

    test('behavior: a probe writes on every call', async () => {
      for (let n = 0; n < 3; n += 1) await expect(store.probe()).resolves.toBeUndefined()
    })
  })
}
