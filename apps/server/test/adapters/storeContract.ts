// The contract of the store port as one list: every adapter has to pass all of it, so it stays in one place.

import { InvalidInputError, maxUint256, type QuoteFilters, type RFQ, type SignedQuote, toRfqId } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { type Address, type Hex, zeroAddress } from 'viem'
import { CursorMovedError, StorageUnavailableError, WrongDatabaseError } from '../../src/ports/errors.ts'
import type { NewRatePoints, PositionQuery, PublishedQuoteFilters, RatePoint, Store } from '../../src/ports/store.ts'
import { blockOf, rollBackTo, toldAt, updateOf } from '../storedBlocks.ts'
import {
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
  poolId,
  rfqId,
  runAuction,
  seriesKey,
} from '../storedQuotes.ts'
import { describeAuctions } from './auctionContract.ts'
import type { Histories } from './auctionHistories.ts'
import { describeMakers } from './makerContract.ts'
import { describeStatuses } from './statusContract.ts'

/**
 * What every store must do, whatever it runs on. `create` gives an empty one, and `release` gets it after its test, by default to
 * close it; `histories` of auctions are run where given, `forgets` whether what has expired is forgotten with any write, `isShared`
 * whether several processes may have it.
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

    describe('quotes', () => {
      test('default', async () => {
        const quote = newQuote(1)
        const kept = { ...quote, status: 'active', listed: true }
        expect(await store.insertQuote(quote)).toEqual({ created: true, record: kept })
        expect(await store.findQuote(quote.hash)).toEqual(kept)
        expect(await store.findQuote(hashOf(2))).toBeNull()
      })

      test('behavior: the same hash again changes nothing', async () => {
        const first = newQuote(1)
        await store.insertQuote(first)
        const again = await store.insertQuote({ ...first, apr: 99, createdAt: first.createdAt + 5 })
        expect(again).toEqual({ created: false, record: { ...first, status: 'active', listed: true } })
      })

      test('behavior: of simultaneous quotes a shared store takes as many as the limit allows', async () => {
        if (!isShared) return
        const limit = { most: 3, now }
        await store.insertQuote(newQuote(1, { deadline: now - 1n }), limit)
        const given = Array.from({ length: 8 }, (_, n) => newQuote(n + 2))
        const answers = await Promise.all(given.map((quote) => store.insertQuote(quote, limit)))
        expect(answers.filter(({ record }) => record !== null)).toHaveLength(3)
        expect(answers.find(({ record }) => record === null)).toEqual({ created: false, record: null, open: 3 })
        expect(await store.countQuotes(maker, now)).toBe(3)
        // What is there already takes no place, and another maker has its own.
        const [kept] = given.filter((_, index) => answers[index]?.record)
        expect(kept && (await store.insertQuote(kept, limit))).toMatchObject({
          created: false,
          record: { listed: true },
        })
        expect(await store.insertQuote(newQuote(99, { maker: other }), limit)).toMatchObject({ created: true })
      })

      test('behavior: what has ended takes no place of a shared limit, and what a reorganisation opens again does', async () => {
        if (!isShared) return
        const publish = async (n: number, most: number, at = now) =>
          (await store.insertQuote(newQuote(n, { deadline: now + 60n }), { most, now: at })).created
        expect([await publish(1, 1), await publish(2, 1)]).toEqual([true, false])
        await store.applyBlocks(updateOf(1, null, [{ type: 'quoteEnded', hash: hashOf(1), status: 'filled' }]))
        expect([await publish(2, 1), await publish(3, 1)]).toEqual([true, false])
        await rollBackTo(store, null)
        expect([await publish(3, 3), await publish(4, 3)]).toEqual([true, false])
        expect(await store.countQuotes(maker, now)).toBe(3)
        // Time ends all of them.
        const later = newQuote(5, { deadline: now + 120n })
        expect(await store.insertQuote(later, { most: 1, now: now + 61n })).toMatchObject({ created: true })
      })

      test('behavior: two of the same hash at once are stored once', async () => {
        const answers = await Promise.all([store.insertQuote(newQuote(1)), store.insertQuote(newQuote(1))])
        expect(answers.map(({ created }) => created).sort()).toEqual([false, true])
      })

      test('behavior: any quote comes back as it went in', async () => {
        const uint256 = fc.bigInt({ min: 0n, max: maxUint256 })
        const word = fc
          .uint8Array({ minLength: 32, maxLength: 32 })
          .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
        const anyDeadline = fc.bigInt({ min: forgets ? now : 0n, max: maxUint256 })
        let n = 0
        await fc.assert(
          fc.asyncProperty(
            uint256,
            uint256,
            uint256,
            anyDeadline,
            word,
            word,
            async (notional, vrtAmount, nonce, deadline, salt, poolId) => {
              n += 1
              const quote = newQuote(n, { notional, vrtAmount, nonce, deadline, salt, poolId })
              await store.insertQuote(quote)
              expect(await store.findQuote(quote.hash)).toMatchObject(quote)
            },
          ),
          { numRuns: 30 },
        )
      })

      test('behavior: a count knows published, active, unexpired quotes of that maker only', async () => {
        await store.insertQuote(newQuote(1))
        await store.insertQuote(newQuote(2, { deadline: now - 1n }))
        await store.insertQuote(newQuote(3, { maker: other }))
        await store.insertQuote(newQuote(4))
        await store.applyBlocks(updateOf(1, null, [{ type: 'quoteEnded', hash: hashOf(4), status: 'cancelled' }]))
        await runAuction(store, newAuction(), [newAuctionQuote(5, rfqId, { maker })])
        expect(await store.countQuotes(maker, now)).toBe(1)
        expect(await store.countQuotes(maker.toLowerCase() as Address, now)).toBe(1)
        expect(await store.countQuotes(zeroAddress, now)).toBe(0)
      })
    })

    describe('listPublishedQuotes', () => {
      test("default: what has become of a maker's published quotes, the latest deadline first, in pages", async () => {
        const ended: Hex = `0x${'ee'.repeat(32)}`
        // Late enough for a store that forgets while the auction below runs.
        const later = now + 100_000n
        for (let n = 1; n <= 6; n += 1) await store.insertQuote(newQuote(n, { deadline: later + BigInt(n % 4) }))
        await store.insertQuote(newQuote(7, { deadline: now - 1n }))
        await store.insertQuote(newQuote(8, { seriesKey: ended, deadline: later + 9n }))
        await store.insertQuote(newQuote(9, { maker: other }))
        await runAuction(store, newAuction(), [newAuctionQuote(10, rfqId, { maker })])
        await store.applyBlocks(
          updateOf(1, null, [
            { type: 'quoteEnded', hash: hashOf(1), status: 'filled' },
            { type: 'quoteEnded', hash: hashOf(2), status: 'cancelled' },
            { type: 'quoteEnded', hash: hashOf(3), status: 'filled' },
            { type: 'quoteEnded', hash: hashOf(9), status: 'filled' },
            { type: 'seriesCreated', poolId, seriesKey: ended, expiry: Number(now), cap: 1n },
          ]),
        )
        const of = async (status: PublishedQuoteFilters['status']) =>
          (await store.listPublishedQuotes({ maker, status }, now)).quotes.map(({ hash }) => Number(hash))
        expect(await of('filled')).toEqual([3, 1])
        expect(await of('cancelled')).toEqual([2])
        expect(await of('nonce_raised')).toEqual([])
        expect(await of('expired')).toEqual([8, 7])
        // Of equal deadlines the newest comes first.
        const all = [8, 3, 6, 2, 5, 1, 4, 7]
        expect(await of('all')).toEqual(all)
        const [filled] = (await store.listPublishedQuotes({ maker, status: 'filled' }, now)).quotes
        expect(filled).toMatchObject({ status: 'filled', listed: true, seenAt: { blockNumber: 1n } })
        const seen: number[] = []
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await store.listPublishedQuotes(
            { maker, status: 'all', limit: 3, ...(cursor && { cursor }) },
            now,
          )
          seen.push(...page.quotes.map(({ hash }) => Number(hash)))
          cursor = page.nextCursor
        }
        expect(seen).toEqual(all)
        const { nextCursor } = await store.listQuotes({ limit: 1 }, now)
        const mixed = store.listPublishedQuotes({ maker, status: 'all', cursor: nextCursor ?? '' }, now)
        await expect(mixed).rejects.toMatchObject({ path: 'cursor' })
      })
    })

    describe('listCommitments', () => {
      test('default', async () => {
        await store.insertQuote(newQuote(1, { notional: 5n }))
        await store.insertQuote(newQuote(2, { notional: maxUint256, maker: other }))
        expect(await store.listCommitments([maker], now)).toEqual([{ maker, poolId, notional: 5n }])
        const both = await store.listCommitments([maker, other], now)
        expect(both.map(({ notional }) => notional).sort()).toEqual([maxUint256, 5n].sort())
        expect(await store.listCommitments([], now)).toEqual([])
        expect(await store.listCommitments([zeroAddress], now)).toEqual([])
      })

      test('behavior: what is over, and what only an auction has seen, is no promise', async () => {
        await store.insertQuote(newQuote(1, { deadline: now - 1n }))
        await store.insertQuote(newQuote(2, { deadline: maxUint256, notional: 2n }))
        await store.insertQuote(newQuote(3))
        await runAuction(store, newAuction(), [newAuctionQuote(4, rfqId, { maker })])
        const ended: Hex = `0x${'ee'.repeat(32)}`
        await store.insertQuote(newQuote(5, { seriesKey: ended }))
        await store.applyBlocks(
          updateOf(1, null, [
            { type: 'quoteEnded', hash: hashOf(3), status: 'filled' },
            { type: 'seriesCreated', poolId, seriesKey: ended, expiry: Number(now), cap: 1n },
          ]),
        )
        expect(await store.listCommitments([maker], now)).toEqual([{ maker, poolId, notional: 2n }])
      })
    })

    describe('listLargestFills', () => {
      test('default: the largest of each maker in each series, from a block on', async () => {
        const position = { borrower: other, poolId, seriesKey, cost: 1n, index: 1n }
        const opened = (positionId: bigint, owner: Address, notional: bigint) =>
          ({ type: 'positionOpened', ...position, positionId, maker: owner, notional }) as const
        await store.applyBlocks(
          updateOf(1, null, [
            { type: 'seriesCreated', poolId, seriesKey, expiry: Number(now) + 1, cap: 900n },
            opened(1n, maker, 256n),
            opened(2n, maker, 3n),
            opened(3n, other, 5n),
          ]),
        )
        expect(await store.listLargestFills([maker], 0n)).toEqual([{ maker, notional: 256n, cap: 900n }])
        expect(await store.listLargestFills([maker, other], 1n)).toHaveLength(2)
        expect(await store.listLargestFills([maker, other], 2n)).toEqual([])
        expect(await store.listLargestFills([], 0n)).toEqual([])
        await rollBackTo(store, null)
        expect(await store.listLargestFills([maker], 0n)).toEqual([])
      })
    })

    describe('countTaker', () => {
      const taker = makerOf(7)
      const asked = (n: number, terms: Partial<RFQ> = {}) =>
        store.openAuction(
          newAuction(toRfqId(n.toString(16).padStart(32, '0')), { taker, takerVerified: true, openedAt: n, ...terms }),
        )
      const position = { maker, poolId, seriesKey, notional: 1n, cost: 1n, index: 1n }
      const opened = (positionId: bigint, borrower: Address) =>
        ({ type: 'positionOpened', ...position, positionId, borrower }) as const

      test('default: the auctions of a verified taker and its positions, from a time and a block on', async () => {
        for (const n of [1, 2, 3]) await asked(n)
        await asked(4, { takerVerified: false })
        await asked(5, { taker: other })
        await asked(6, { taker: taker.toLowerCase() as Address })
        await store.applyBlocks(updateOf(1, null, [opened(1n, taker)]))
        await store.applyBlocks(updateOf(2, 1, [opened(2n, taker), opened(3n, taker), opened(4n, other)]))
        const countFrom = (since: number, from: bigint, most = 9) => store.countTaker({ taker, since, from, most })
        expect(await countFrom(0, 0n)).toEqual({ asked: 4, taken: 3 })
        expect(await countFrom(2, 2n)).toEqual({ asked: 3, taken: 2 })
        expect(await countFrom(3, 3n)).toEqual({ asked: 2, taken: 0 })
        expect(await countFrom(0, 0n, 2)).toEqual({ asked: 2, taken: 2 })
        const settled = { toBorrower: 0n, toMaker: 1n }
        await store.applyBlocks(updateOf(3, 2, [{ type: 'positionSettled', positionId: 2n, ...settled }]))
        expect(await countFrom(0, 0n)).toEqual({ asked: 4, taken: 3 })
        expect(await countFrom(0, 0n, 2)).toEqual({ asked: 2, taken: 2 })
        expect(await store.countTaker({ taker: maker, since: 0, from: 0n, most: 9 })).toEqual({ asked: 0, taken: 0 })
      })
    })

    describe('listQuotes', () => {
      const hashes = async (filters: Parameters<Store['listQuotes']>[0]) =>
        (await store.listQuotes(filters, now)).quotes.map((record) => Number(record.parse().hash))

      test('default', async () => {
        for (const n of [1, 2, 3]) await store.insertQuote(newQuote(n))
        expect(await store.listQuotes({}, now)).toMatchObject({ nextCursor: null })
        expect(await hashes({})).toEqual([3, 2, 1])
      })

      test('behavior: shows until the last second of the deadline', async () => {
        await store.insertQuote(newQuote(1, { deadline: now }))
        await store.insertQuote(newQuote(2, { deadline: now - 1n }))
        expect(await hashes({})).toEqual([1])
      })

      test('behavior: offers of a series by size, the best rate first, at most so many of one maker', async () => {
        const seed = Math.floor(Math.random() * 2 ** 31)

        const shape = fc.record({
          maker: fc.integer({ min: 0, max: 5 }),
          notional: fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(2n ** 126n, 2n ** 127n - 1n)),
          apr: fc.integer({ min: 0, max: 6 }),
          kind: fc.constantFrom('good', 'good', 'good', 'late', 'taken', 'elsewhere'),
        })
        const drawn = fc.sample(shape, { seed, numRuns: 400 })
        const all = drawn.map(({ maker: of, notional, apr, kind }, n) => ({
          kind,
          of,
          quote: newQuote(
            n,
            {
              maker: makerOf(of),
              notional,
              deadline: kind === 'late' ? now - 1n : now,
              taker: kind === 'taken' ? other : zeroAddress,
              seriesKey: kind === 'elsewhere' ? poolId : seriesKey,
            },
            { apr },
          ),
        }))
        for (const { quote } of all) await store.insertQuote(quote)
        let found = 0
        const ranges = fc.tuple(fc.bigInt(1n, 45n), fc.bigInt(0n, 30n), fc.constantFrom(0n, 2n ** 126n))
        for (const [low, width, far] of fc.sample(ranges, { seed, numRuns: 60 })) {
          const [least, most] = [low + far, (low + width) * (far === 0n ? 1n : 2n) + far]
          for (const [perMaker, limit, without] of [
            [1, 100, []],
            [3, 7, []],
            [20, 100, [makerOf(0).toLowerCase()]],
          ] as const) {
            const counts = new Map<number, number>()
            const expected = all
              .filter(
                ({ kind, quote: { quote } }) => kind === 'good' && quote.notional >= least && quote.notional <= most,
              )
              .sort((a, b) => a.quote.apr - b.quote.apr)
              .filter(({ of }) => {
                counts.set(of, (counts.get(of) ?? 0) + 1)
                return (
                  (counts.get(of) ?? 0) <= perMaker &&
                  !(without as readonly string[]).includes(makerOf(of).toLowerCase())
                )
              })
              .slice(0, limit)
            const filters = { seriesKey, least, most, perMaker, limit, without: new Set<string>(without) }
            const offers = await store.listOffers(filters, now)
            // Quotes of one rate and different powers of two may come in any order.
            const shown = perMaker === 20 ? offers.map(({ apr }) => apr) : offers.length
            expect({ seed, shown }).toEqual({
              seed,
              shown: perMaker === 20 ? expected.map(({ quote }) => quote.apr) : expected.length,
            })
            found += offers.length
          }
        }
        expect(found).toBeGreaterThan(500)
      })

      test('behavior: never shows what only an auction has seen', async () => {
        await runAuction(store, newAuction(), [newAuctionQuote(1)])
        expect(await hashes({})).toEqual([])
      })

      test('behavior: every filter', async () => {
        const taker = other
        await store.insertQuote(newQuote(1, { notional: 9n }))
        await store.insertQuote(newQuote(2, { notional: 10n, taker }))
        await store.insertQuote(newQuote(3, { notional: 100n, maker: other }))
        await store.insertQuote(newQuote(4, { notional: maxUint256, poolId: seriesKey }))
        await store.insertQuote(newQuote(5, { notional: 2n ** 64n, seriesKey: poolId }))
        expect(await hashes({ maker: other })).toEqual([3])
        expect(await hashes({ taker })).toEqual([2])
        expect(await hashes({ poolId: seriesKey })).toEqual([4])
        expect(await hashes({ seriesKey: poolId })).toEqual([5])
        expect(await hashes({ minNotional: 10n })).toEqual([5, 4, 3, 2])
        expect(await hashes({ maxNotional: 10n })).toEqual([2, 1])
        expect(await hashes({ minNotional: 10n, maxNotional: 2n ** 64n, maker })).toEqual([5, 2])
        expect(await hashes({ minNotional: maxUint256 })).toEqual([4])
      })

      test('behavior: every order', async () => {
        await store.insertQuote(newQuote(1, { deadline: now + 30n }, { apr: 2.5 }))
        await store.insertQuote(newQuote(2, { deadline: now + 10n }, { apr: 10 }))
        await store.insertQuote(newQuote(3, { deadline: now + 20n }, { apr: 2.25 }))
        expect(await hashes({ sort: 'rate' })).toEqual([3, 1, 2])
        expect(await hashes({ sort: 'deadline' })).toEqual([2, 3, 1])
        expect(await hashes({ sort: 'created' })).toEqual([3, 2, 1])
      })

      test.each(['rate', 'created', 'deadline'] as const)(
        'behavior: pages by %s hold every quote once, ties and newcomers included',
        async (sort) => {
          // Sevens tie in every order.
          for (let n = 1; n <= 20; n += 1) {
            const tie = n % 7
            const terms = { deadline: now + BigInt(tie) }
            await store.insertQuote(newQuote(n, terms, { apr: tie / 3, createdAt: tie }))
          }
          const all = await hashes({ sort, limit: 100 })
          const seen: number[] = []
          let cursor: string | undefined
          do {
            const page = await store.listQuotes({ sort, limit: 3, ...(cursor ? { cursor } : {}) }, now)
            seen.push(...page.quotes.map((record) => Number(record.parse().hash)))
            cursor = page.nextCursor ?? undefined
            // One that sorts before everything must not push anything onto the next page again.
            await store.insertQuote(newQuote(1_000 + seen.length, { deadline: now }, { apr: -1, createdAt: 1e12 }))
          } while (cursor)
          expect(seen).toEqual(all)
          expect(new Set(seen).size).toBe(20)
        },
      )

      test('behavior: a filter that few of many quotes match is served by pages that go on, each quote once', async () => {
        const rare = makerOf(7)
        const size = 1_500
        const all = Array.from({ length: size }, (_, n) =>
          newQuote(
            n + 1,
            {
              maker: n % 500 === 3 ? rare : maker,
              taker: n % 400 === 5 ? rare : n % 2 === 0 ? other : zeroAddress,
              notional: n % 700 === 9 ? 5n : 1_000n,
              // Few of one pool, and many of another.
              ...(n % 600 === 11 && { poolId: seriesKey, seriesKey: poolId }),
              deadline: now + BigInt(n % 97),
            },
            { createdAt: Number(now) * 1000 + (n % 90) },
          ),
        )
        await Promise.all(all.map((quote) => store.insertQuote(quote)))
        let shortPages = 0
        for (const sort of ['rate', 'created', 'deadline'] as const) {
          for (const [filters, isWanted, isWhole] of [
            [{ maker: rare }, ({ maker }) => maker === rare, true],
            [{ taker: rare }, ({ taker }) => taker === rare, true],
            [{ taker: other, poolId }, ({ taker, poolId: pool }) => taker === other && pool === poolId, false],
            [
              { taker: zeroAddress, maxNotional: 5n },
              ({ taker, notional }) => taker === zeroAddress && notional <= 5n,
              false,
            ],
            [{ maxNotional: 5n }, ({ notional }) => notional <= 5n, false],
            [{ minNotional: 6n, maxNotional: 7n }, () => false, false],
            [{ poolId, maxNotional: 5n }, ({ poolId: pool, notional }) => pool === poolId && notional <= 5n, false],
            [{ seriesKey: poolId }, ({ seriesKey: key }) => key === poolId, true],
            [{ poolId: seriesKey, minNotional: 5n }, ({ poolId: pool }) => pool === seriesKey, true],
            [
              { seriesKey, maker: rare, minNotional: 6n },
              ({ maker, notional }) => maker === rare && notional > 5n,
              true,
            ],
          ] as [QuoteFilters, (quote: SignedQuote) => boolean, boolean][]) {
            const seen: string[] = []
            let cursor: string | null = null
            do {
              const page = await store.listQuotes({ ...filters, sort, limit: 100, ...(cursor && { cursor }) }, now)
              cursor = page.nextCursor
              seen.push(...page.quotes.map((record) => record.parse().hash))
              if (cursor && page.quotes.length < 100) shortPages += 1
              // What has one maker, taker or rare pool is read at once.
              if (isWhole) expect({ filters, sort, cursor }).toEqual({ filters, sort, cursor: null })
            } while (cursor)
            const expected = all.filter(({ quote }) => isWanted(quote)).map(({ hash }) => hash)
            expect({ filters, sort, seen: [...seen].sort() }).toEqual({ filters, sort, seen: expected.sort() })
          }
        }
        expect(shortPages).toBeGreaterThan(9)
      }, 30_000)

      test.each([
        'nonsense',
        '',
        '[]',
        Buffer.from('["rate"]').toString('base64url'),
        Buffer.from('["created","1","00"]').toString('base64url'),
        Buffer.from('{"__proto__":1}').toString('base64url'),
      ])('error: the cursor %j', async (cursor) => {
        const failure = store.listQuotes({ cursor }, now)
        await expect(failure).rejects.toThrow(InvalidInputError)
        await expect(failure).rejects.toMatchObject({ path: 'cursor' })
      })

      test('error: a cursor of another order', async () => {
        for (const n of [1, 2]) await store.insertQuote(newQuote(n))
        const { nextCursor } = await store.listQuotes({ limit: 1, sort: 'rate' }, now)
        await expect(store.listQuotes({ cursor: nextCursor ?? '', sort: 'deadline' }, now)).rejects.toMatchObject({
          path: 'cursor',
        })
      })
    })

    describeAuctions(() => store, histories)
    describeStatuses(() => store)
    describeMakers(() => store)

    describe('chain', () => {
      const cancelled = (n: number) => ({ type: 'quoteEnded', hash: hashOf(n), status: 'cancelled' }) as const
      const raised = (nonce: bigint) => ({ type: 'nonceRaised', maker, nonce }) as const
      const seenIn = (block: number, logIndex = 0) => ({
        blockNumber: BigInt(block),
        blockHash: blockOf(block).hash,
        transactionHash: hashOf(block * 1_000 + logIndex),
      })
      const statusOf = async (n: number) => (await store.findQuote(hashOf(n)))?.status

      test('default', async () => {
        expect(await store.findSyncPosition()).toEqual({ cursor: null, blocks: [] })
        const pool = { poolId, loanToken: maker, adapter: other, market: hashOf(9) }
        const [late, soon] = [
          { poolId, seriesKey, expiry: 2_000_000_000, cap: maxUint256 },
          { poolId, seriesKey: hashOf(8), expiry: 1_900_000_000, cap: 1n },
        ]
        const position = {
          positionId: 1n,
          maker,
          borrower: other,
          poolId,
          seriesKey,
          notional: 5n,
          cost: 2n,
          index: 3n,
        }
        await store.applyBlocks(
          updateOf(7, null, [
            { type: 'poolCreated', ...pool },
            { type: 'seriesCreated', ...late },
            { type: 'seriesCreated', ...soon },
            { type: 'positionOpened', ...position },
            { type: 'positionOpened', ...position, positionId: 2n },
            { type: 'positionSettled', positionId: 2n, toBorrower: 1n, toMaker: 4n },
          ]),
        )
        expect(await store.findSyncPosition()).toEqual({
          cursor: blockOf(7),
          blocks: [{ number: 7n, hash: blockOf(7).hash }],
        })
        expect(await store.listPools()).toEqual([pool])
        expect(await store.listSeries()).toEqual([soon, late])
        expect(await store.listSeries(hashOf(1))).toEqual([])
        const open = [{ ...position, openedAtBlock: 7n }]
        expect(await store.listOpenPositions(maker)).toEqual(open)
        expect(await store.listOpenPositions(other)).toEqual(open)
        expect(await store.listOpenPositions(zeroAddress)).toEqual([])
      })

      describe('listPositions', () => {
        const pool = { poolId, loanToken: maker, adapter: other, market: hashOf(9) }
        const series = { poolId, seriesKey, expiry: 2_000_000_000, cap: maxUint256 }
        const terms = { poolId, seriesKey, notional: 5n, cost: 2n, index: 3n }
        const opened = (positionId: bigint, sides = { maker, borrower: other }) =>
          ({ type: 'positionOpened', ...terms, positionId, ...sides }) as const
        const settled = (positionId: bigint) =>
          ({ type: 'positionSettled', positionId, toBorrower: 1n, toMaker: 6n }) as const
        const idsOf = async (query: Omit<PositionQuery, 'account' | 'limit'> & { limit?: number }, account = maker) => {
          const page = await store.listPositions({ account, limit: 500, ...query })
          return page.positions.map(({ positionId }) => Number(positionId))
        }
        /** Every page of so many positions. */
        const pagesOf = async (query: Omit<PositionQuery, 'account'>) => {
          const pages: number[][] = []
          let cursor: string | null | undefined
          do {
            const page = await store.listPositions({ account: maker, ...query, ...(cursor && { cursor }) })
            pages.push(page.positions.map(({ positionId }) => Number(positionId)))
            cursor = page.nextCursor
          } while (cursor)
          return pages
        }

        test('default', async () => {
          const query = { account: maker, status: 'all', limit: 10 } as const
          expect(await store.listPositions(query)).toEqual({
            block: null,
            positions: [],
            openSeries: [],
            nextCursor: null,
          })
          await store.applyBlocks(
            updateOf(7, null, [
              { type: 'poolCreated', ...pool },
              { type: 'seriesCreated', ...series },
              opened(1n),
              opened(2n),
              opened(3n, { maker: other, borrower: other }),
              settled(1n),
            ]),
          )
          const position = {
            ...terms,
            maker,
            borrower: other,
            openedAtBlock: 7n,
            loanToken: maker,
            expiry: series.expiry,
          }
          const settlement = { toBorrower: 1n, toMaker: 6n, blockNumber: 7n, transactionHash: hashOf(7_005) }
          expect(await store.listPositions(query)).toEqual({
            block: blockOf(7),
            positions: [
              { ...position, positionId: 2n, settlement: null },
              { ...position, positionId: 1n, settlement },
            ],
            // The last one in the series is of others.
            openSeries: [{ seriesKey, adapter: other, market: hashOf(9), lastPositionId: 3n }],
            nextCursor: null,
          })
          expect(await store.listPositions({ ...query, status: 'settled' })).toMatchObject({
            positions: [{ positionId: 1n }],
            openSeries: [],
          })
          expect(await idsOf({ status: 'open' })).toEqual([2])
          expect(await idsOf({ status: 'all' }, other)).toEqual([3, 2, 1])
          expect(await idsOf({ status: 'all' }, zeroAddress)).toEqual([])
        })

        test('behavior: pages have every position once, the open ones from the oldest, the others from the newest', async () => {
          const sides = [
            { maker, borrower: other },
            { maker: other, borrower: maker },
            { maker, borrower: maker },
          ]
          const ids = Array.from({ length: 300 }, (_, index) => BigInt(index + 1))
          await store.applyBlocks(
            updateOf(7, null, [
              { type: 'poolCreated', ...pool },
              { type: 'seriesCreated', ...series },
              ...ids.map((id) => opened(id, sides[Number(id) % 3])),
              ...ids.filter((id) => id % 2n === 0n).map(settled),
            ]),
          )
          const all = ids.map(Number)
          const expected = {
            open: all.filter((id) => id % 2 === 1),
            settled: all.filter((id) => id % 2 === 0).reverse(),
            all: [...all].reverse(),
          }
          for (const status of ['open', 'settled', 'all'] as const) {
            for (const limit of [7, expected[status].length, 500]) {
              const pages = await pagesOf({ status, limit })
              expect(pages.flat()).toEqual(expected[status])
              expect(pages).toHaveLength(Math.ceil(expected[status].length / limit))
            }
          }
        })

        test('behavior: rolling back opens what was settled above the block', async () => {
          await store.applyBlocks(
            updateOf(1, null, [{ type: 'poolCreated', ...pool }, { type: 'seriesCreated', ...series }, opened(1n)]),
          )
          await store.applyBlocks(updateOf(2, 1, [opened(2n), settled(2n)]))
          await store.applyBlocks(updateOf(3, 2, [settled(1n), opened(3n)]))
          expect([await idsOf({ status: 'open' }), await idsOf({ status: 'settled' })]).toEqual([[3], [2, 1]])
          await rollBackTo(store, blockOf(2))
          expect([await idsOf({ status: 'open' }), await idsOf({ status: 'settled' })]).toEqual([[1], [2]])
          await store.applyBlocks(updateOf(3, 2, [settled(1n)]))
          expect([await idsOf({ status: 'open' }), await idsOf({ status: 'settled' })]).toEqual([[], [2, 1]])
        })

        test.each(['x', 'WyJvcGVuIiwxXQ', ''])('error: cursor %j', async (cursor) => {
          const query = { account: maker, status: 'open', limit: 1, cursor } as const
          await expect(store.listPositions(query)).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'cursor' })
        })

        test('error: the cursor of positions with another status', async () => {
          await store.applyBlocks(
            updateOf(1, null, [
              { type: 'poolCreated', ...pool },
              { type: 'seriesCreated', ...series },
              opened(1n),
              opened(2n),
            ]),
          )
          const query = { account: maker, limit: 1 }
          const { nextCursor } = await store.listPositions({ ...query, status: 'open' })
          const other = store.listPositions({ ...query, status: 'all', cursor: nextCursor ?? '' })
          await expect(other).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'cursor' })
        })
      })

      test('behavior: events end stored quotes, with where that was seen, and rolling back opens them again', async () => {
        for (const n of [1, 2, 3]) await store.insertQuote(newQuote(n, { nonce: n === 3 ? 1n : 0n }))
        await store.applyBlocks(updateOf(1, null, [{ type: 'quoteEnded', hash: hashOf(1), status: 'filled' }]))
        await store.applyBlocks(updateOf(2, 1, [raised(1n)]))
        expect(await store.findQuote(hashOf(1))).toMatchObject({ status: 'filled', seenAt: seenIn(1) })
        expect(await store.findQuote(hashOf(2))).toMatchObject({ status: 'nonce_raised', seenAt: seenIn(2) })
        expect(await statusOf(3)).toBe('active')
        await store.applyBlocks(updateOf(3, 2, [raised(2n), cancelled(2)]))
        expect(await store.findQuote(hashOf(2))).toMatchObject({ status: 'cancelled', seenAt: seenIn(3, 1) })
        expect(await store.findQuote(hashOf(3))).toMatchObject({ status: 'nonce_raised', seenAt: seenIn(3) })
        expect((await store.listQuotes({}, now)).quotes).toEqual([])

        await rollBackTo(store, blockOf(2))
        expect(await store.findQuote(hashOf(2))).toMatchObject({ status: 'nonce_raised', seenAt: seenIn(2) })
        expect(await statusOf(3)).toBe('active')
        expect(await store.findSyncPosition()).toMatchObject({
          cursor: blockOf(2),
          blocks: [{ number: 1n }, { number: 2n }],
        })
        await rollBackTo(store, null)
        expect(await store.findSyncPosition()).toEqual({ cursor: null, blocks: [] })
        const again = await store.findQuote(hashOf(1))
        expect(again?.status).toBe('active')
        expect(again).not.toHaveProperty('seenAt')
        expect((await store.listQuotes({}, now)).quotes).toHaveLength(3)
      })

      test('behavior: a quote that comes after its end is not active for a moment', async () => {
        await store.applyBlocks(updateOf(1, null, [cancelled(1), cancelled(2), raised(1n)]))
        expect(await store.insertQuote(newQuote(1))).toMatchObject({ created: true, record: { status: 'cancelled' } })
        expect(await store.insertQuote(newQuote(3))).toMatchObject({ record: { status: 'nonce_raised' } })
        await runAuction(store, newAuction(), [newAuctionQuote(2)])
        expect(await statusOf(2)).toBe('cancelled')
      })

      test('behavior: a quote of a series that has ended is not listed', async () => {
        await store.insertQuote(newQuote(1))
        await store.applyBlocks(
          updateOf(1, null, [{ type: 'seriesCreated', poolId, seriesKey, expiry: Number(now) + 1, cap: 1n }]),
        )
        expect((await store.listQuotes({}, now)).quotes.map((record) => record.parse())).toMatchObject([
          { seriesExpiry: Number(now) + 1 },
        ])
        expect((await store.listQuotes({}, now + 1n)).quotes).toEqual([])
      })

      test('behavior: only so many blocks are remembered, but every block with an event is a checkpoint', async () => {
        await store.applyBlocks(updateOf(1, null, [raised(1n)]))
        for (let n = 2; n <= 6; n += 1) await store.applyBlocks({ ...updateOf(n, n - 1, []), keep: 3 })
        expect((await store.findSyncPosition()).blocks.map(({ number }) => Number(number))).toEqual([4, 5, 6])
        expect(await store.findCheckpoint(6n)).toEqual({ number: 1n, hash: blockOf(1).hash })
        expect(await store.findCheckpoint(0n)).toBeNull()
        await rollBackTo(store, blockOf(1))
        expect(await store.findSyncPosition()).toMatchObject({ cursor: blockOf(1), blocks: [{ number: 1n }] })
      })

      test('behavior: the same update again does nothing', async () => {
        await store.applyBlocks(updateOf(1, null, [raised(1n)]))
        await store.applyBlocks(updateOf(1, null, [raised(1n)]))
        await store.applyBlocks(updateOf(2, 1, [raised(2n)]))
        await store.applyBlocks(updateOf(2, 1, [raised(2n)]))
        expect(await store.findSyncPosition()).toMatchObject({
          cursor: blockOf(2),
          blocks: [{ number: 1n }, { number: 2n }],
        })
        const undoing = { from: blockOf(2), to: blockOf(1), at: toldAt }
        await store.rollBack(undoing)
        await store.rollBack(undoing)
        expect(await store.findCheckpoint(9n)).toEqual({ number: 1n, hash: blockOf(1).hash })
      })

      test('error: what goes back from another block than the newest undoes nothing', async () => {
        await store.applyBlocks(updateOf(1, null, [raised(1n)]))
        await store.applyBlocks(updateOf(2, 1, [raised(2n)]))
        for (const from of [blockOf(1), blockOf(3), { ...blockOf(2), hash: hashOf(1) }, null]) {
          await expect(store.rollBack({ from, to: null, at: toldAt })).rejects.toThrow(CursorMovedError)
        }
        expect(await store.findSyncPosition()).toMatchObject({ cursor: blockOf(2) })
        expect(await store.findCheckpoint(9n)).toMatchObject({ number: 2n })
      })

      test('behavior: the lease of who has it can be kept', async () => {
        expect(await store.holdLease('one', 60_000)).toBe(true)
        expect(await store.holdLease('one', 60_000)).toBe(true)
        if (!isShared) return
        expect(await store.holdLease('two', 60_000)).toBe(false)
        // It is over at once, by the clock of the database.
        expect(await store.holdLease('one', 0)).toBe(true)
        expect(await store.holdLease('two', 60_000)).toBe(true)
        expect(await store.holdLease('one', 60_000)).toBe(false)
      })

      test('error: an update is applied whole or not at all', async () => {
        await store.applyBlocks(updateOf(1, null, [raised(1n)]))
        const twice = store.applyBlocks(updateOf(2, 1, [cancelled(1), raised(1n)]))
        await expect(twice).rejects.toThrow(StorageUnavailableError)
        await expect(store.applyBlocks(updateOf(3, 2, []))).rejects.toThrow(CursorMovedError)
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
        ['chain id', { chainId: 1 }],
        ["chain's first block", { genesisHash: hashOf(2) }],
        ['quote market', { quoteMarket: other }],
      ])('error: another %s', async (what, change) => {
        await store.claim(identity)
        const failure = store.claim({ ...identity, ...change })
        await expect(failure).rejects.toThrow(WrongDatabaseError)
        await expect(failure).rejects.toThrow(what)
        await expect(failure).rejects.toThrow(/DATA_DIR|DATABASE_URL/)
      })
    })

    describe('rates', () => {
      const firstHour = Number(now)
      const hour = (n: number) => firstHour + n * 3_600
      const point = (n: number, rest: Partial<RatePoint> = {}): RatePoint => ({
        ...{ poolId, hour: hour(n), block: BigInt(n + 1), ratePerSec: BigInt(1_000 + n) },
        ...rest,
      })
      const all = { poolId, from: 0, to: hour(10_000), step: 3_600 }
      const add = async (points: readonly RatePoint[], rest: Partial<NewRatePoints> = {}) => {
        const { cursor } = await store.findSyncPosition()
        if (cursor === null) throw new TypeError('Nothing is synced.')
        await store.addRatePoints({ points, asOf: cursor, keepFrom: 0, ...rest })
      }

      test('default: points of a pool in a range, oldest first, exactly as they were kept', async () => {
        await store.applyBlocks(updateOf(1, null, []))
        const points = [point(2, { ratePerSec: maxUint256 }), point(0), point(1, { ratePerSec: 0n }), point(3)]
        await add([...points, point(1, { poolId: hashOf(77) })])
        const sorted = [...points].sort((a, b) => a.hour - b.hour)
        expect(await store.listRatePoints(all)).toEqual(sorted)
        expect(await store.listRatePoints({ ...all, from: hour(1), to: hour(2) })).toEqual(sorted.slice(1, 3))
        expect(await store.listRatePoints({ ...all, from: hour(1) + 1, to: hour(2) - 1 })).toEqual([])
        expect(await store.listRatePoints({ ...all, poolId: hashOf(78) })).toEqual([])
        const known = await store.listRateHours({ from: hour(1), to: hour(2) })
        expect(known.map((one) => one.hour)).toEqual([hour(2), hour(1), hour(1)])
        expect(known).toContainEqual({ poolId: hashOf(77), hour: hour(1), block: 2n })
      })

      test('behavior: by the day, the first point of each', async () => {
        await store.applyBlocks(updateOf(1, null, []))
        await add([0, 23, 24, 30, 47, 80].map((n) => point(n)))
        const days = await store.listRatePoints({ ...all, step: 86_400 })
        expect(days.map((one) => one.hour)).toEqual([hour(0), hour(24), hour(80)])
        const fromLater = await store.listRatePoints({ ...all, from: hour(25), step: 86_400 })
        expect(fromLater.map((one) => one.hour)).toEqual([hour(30), hour(80)])
      })

      test('behavior: what is kept stays as it is, also from several at once', async () => {
        await store.applyBlocks(updateOf(1, null, []))
        await add([point(0)])
        await Promise.all([1, 2, 3].map((n) => add([point(0, { ratePerSec: BigInt(n) }), point(1)])))
        expect(await store.listRatePoints(all)).toEqual([point(0), point(1)])
      })

      test('behavior: a point goes with its block, and comes again with another one', async () => {
        for (let n = 1; n <= 3; n += 1) await store.applyBlocks(updateOf(n, n === 1 ? null : n - 1, []))
        await add([point(0), point(1), point(2)])
        await rollBackTo(store, blockOf(2))
        expect(await store.listRatePoints(all)).toEqual([point(0), point(1)])
        await add([point(2, { ratePerSec: 7n })])
        expect((await store.listRatePoints(all)).at(-1)).toEqual(point(2, { ratePerSec: 7n }))
      })

      test('error: what was read on a chain that was undone meanwhile is not kept', async () => {
        for (let n = 1; n <= 2; n += 1) await store.applyBlocks(updateOf(n, n === 1 ? null : n - 1, []))
        await rollBackTo(store, blockOf(1))
        await expect(add([point(0)], { asOf: blockOf(2) })).rejects.toThrow(CursorMovedError)
        await expect(add([point(0)], { asOf: { ...blockOf(1), hash: hashOf(1) } })).rejects.toThrow(CursorMovedError)
        expect(await store.listRatePoints(all)).toEqual([])
        await add([point(0)], { asOf: blockOf(1) })
        expect(await store.listRatePoints(all)).toEqual([point(0)])
      })

      test('behavior: what is too old is forgotten with what is added', async () => {
        await store.applyBlocks(updateOf(1, null, []))
        await add([point(0), point(1), point(2)])
        await add([], { keepFrom: hour(1) })
        expect(await store.listRatePoints(all)).toEqual([point(1), point(2)])
      })

      const day = Math.floor(Number(now) / 86_400) * 86_400
      const expiry = Number(now) + 86_400
      const fixed = { poolId, from: 0, to: day + 864_000, limit: 100 }
      const openSeries = (n = 1) =>
        store.applyBlocks(
          updateOf(n, n === 1 ? null : n - 1, [{ type: 'seriesCreated', poolId, seriesKey, expiry, cap: 1_000n }]),
        )

      test('default: the lowest rate of a day and a series, and of equal ones the largest', async () => {
        await openSeries()
        const run = (n: number, quotes: readonly (readonly [apr: number, notional: bigint])[], at: number) => {
          const id = toRfqId(n.toString(16).padStart(32, '0'))
          const times = { openedAt: at - 15_000, closesAt: at }
          return runAuction(
            store,
            newAuction(id, times),
            quotes.map(([apr, notional], index) =>
              newAuctionQuote(n * 10 + index, id, { notional }, { apr, receivedAt: at - 15_000 }),
            ),
            newClose(id, { at }),
          )
        }
        await run(
          1,
          [
            [7, 1_000n],
            [6, 500n],
            [6, 600n],
          ],
          openedAt + 20_000,
        )
        expect(await store.listFixedPoints(fixed)).toEqual([{ seriesKey, expiry, day, apr: 6, notional: 600n }])
        await run(
          2,
          [
            [6.5, 9_000n],
            [6.1, 9_000n],
          ],
          openedAt + 40_000,
        )
        await run(3, [[6, 599n]], openedAt + 60_000)
        expect(await store.listFixedPoints(fixed)).toMatchObject([{ apr: 6, notional: 600n }])
        await run(4, [[6, 601n]], openedAt + 80_000)
        expect(await store.listFixedPoints(fixed)).toMatchObject([{ apr: 6, notional: 601n }])
        await run(5, [[5.9, 1n]], openedAt + 100_000)
        expect(await store.listFixedPoints(fixed)).toMatchObject([{ apr: 5.9, notional: 1n }])
        await run(6, [[8, 1n]], openedAt + 86_400_000)
        await run(7, [], openedAt + 2 * 86_400_000)
        const points = [
          { day, apr: 5.9 },
          { day: day + 86_400, apr: 8 },
        ]
        expect(await store.listFixedPoints(fixed)).toMatchObject(points)
        expect(await store.listFixedPoints({ ...fixed, limit: 1 })).toMatchObject(points.slice(1))
        expect(await store.listFixedPoints({ ...fixed, to: day })).toMatchObject(points.slice(0, 1))
        expect(await store.listFixedPoints({ ...fixed, from: day + 1 })).toMatchObject(points.slice(1))
        expect(await store.listFixedPoints({ ...fixed, poolId: hashOf(77) })).toEqual([])
      })

      test('behavior: an open auction shows nothing, nor does a contract that was unproven', async () => {
        await openSeries()
        await store.openAuction(newAuction())
        await store.acceptQuote(newAuctionQuote(1, rfqId, {}, { apr: 3, unproven: true }), openedAt)
        await store.acceptQuote(newAuctionQuote(2, rfqId, {}, { apr: 4 }), openedAt)
        expect(await store.listFixedPoints(fixed)).toEqual([])
        await store.closeAuction(newClose())
        expect(await store.listFixedPoints(fixed)).toMatchObject([{ apr: 4 }])
        await rollBackTo(store, null)
        expect(await store.listFixedPoints(fixed)).toEqual([])
        await openSeries()
        expect(await store.listFixedPoints(fixed)).toMatchObject([{ apr: 4 }])
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

    test('behavior: what is kept is found to be whole', async () => {
      while (store.integrity() === 'checking') await new Promise((resolve) => setTimeout(resolve, 5))
      expect(store.integrity()).toBe('ok')
    })

    test('behavior: a probe writes, as often as it is asked', async () => {
      for (let n = 0; n < 3; n += 1) await expect(store.probe()).resolves.toBeUndefined()
    })
  })
}
