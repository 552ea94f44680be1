// Tests the part of the store contract that covers status updates.

import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import type { StatusUpdateRecord, Store } from '../../src/ports/store.ts'
import {
  applyBlock,
  blockOf,
  bundleOf,
  cancelled,
  filled,
  opened,
  raised,
  rollBackTo,
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
  other,
  rfqId,
  runAuction,
} from '../storedQuotes.ts'

/** Status update tests for every store. `use` returns the current test's store. */
export function describeStatuses(use: () => Store): void {
  describe('statuses', () => {
    let store: Store
    beforeEach(() => {
      store = use()
    })
    /** A maker's retained updates. */
    const toldTo = async (to: Address = maker) => (await store.listStatuses(to, { after: 0, limit: 1_000 })).statuses
    /** Formats an update's sequence number, quote, status, block and finality. */
    const shortly = async (to?: Address) =>
      (await toldTo(to)).map(
        ({ seq, hash, status, block, final }) => `${seq} ${Number(hash)} ${status} ${block}${final ? ' final' : ''}`,
      )

    test('default: a fill, with its taker and position', async () => {
      expect(await store.listStatuses(maker, { after: 0, limit: 10 })).toEqual({ statuses: [], oldest: 1, newest: 0 })
      await store.insertQuote(newQuote(1))
      await store.applyBlocks(bundleOf(1, null, [opened(7), filled(1)]))
      const told: StatusUpdateRecord = {
        ...{ seq: 1, hash: hashOf(1), status: 'filled', final: false, block: 1, transactionHash: hashOf(1_000) },
        ...{ taker: other, notional: 70n, cost: 7n, positionId: 7n },
      }
      const all = { statuses: [told], oldest: 1, newest: 1 }
      for (const address of [maker, maker.toLowerCase() as Address]) {
        expect(await store.listStatuses(address, { after: 0, limit: 10 })).toEqual(all)
      }
      expect(await toldTo(other)).toEqual([])
    })

    test('behavior: each of several fills in one transaction has its own position', async () => {
      for (const n of [1, 2]) await store.insertQuote(newQuote(n))
      await store.insertQuote(newQuote(3, { maker: other }))
      const facts = [opened(1), filled(1), opened(2, { maker: other }), filled(3), opened(3), filled(2), opened(4)]
      await store.applyBlocks(bundleOf(1, null, facts))
      const positions = async (to: Address) =>
        (await toldTo(to)).map(({ hash, positionId }) => [Number(hash), positionId])
      expect((await positions(maker)).sort()).toEqual([
        [1, 1n],
        [2, 3n],
      ])
      expect(await positions(other)).toEqual([[3, 2n]])
    })

    test('behavior: a fill whose position is in another transaction has no position', async () => {
      await store.insertQuote(newQuote(1))
      await applyBlock(store, 1, opened(7), filled(1))
      const [told] = await toldTo()
      expect(told).toMatchObject({ status: 'filled', transactionHash: hashOf(1_001) })
      for (const name of ['taker', 'notional', 'cost', 'positionId']) expect(told).not.toHaveProperty(name)
    })

    test('behavior: each maker has its own sequence numbers in block order, read in pages', async () => {
      for (let n = 1; n <= 6; n += 1) {
        await store.insertQuote(newQuote(n, { maker: n % 2 ? maker : other, nonce: n > 4 ? 1n : 0n }))
      }
      await applyBlock(store, 1, cancelled(3), cancelled(2))
      const facts = updateOf(2, 1, [raised(1n)]).events.concat(updateOf(3, 1, [raised(2n), cancelled(4)]).events)
      await store.applyBlocks({ ...updateOf(3, 1, []), events: facts })
      expect(await shortly()).toEqual(['1 3 cancelled 1', '2 1 nonce_raised 2', '3 5 nonce_raised 3'])
      expect(await shortly(other)).toEqual(['1 2 cancelled 1', '2 4 cancelled 3'])
      const page = await store.listStatuses(maker, { after: 1, limit: 1 })
      expect(page).toMatchObject({ statuses: [{ seq: 2 }], oldest: 1, newest: 3 })
      expect(await store.listStatuses(maker, { after: 3, limit: 5 })).toEqual({ statuses: [], oldest: 1, newest: 3 })
    })

    test('behavior: a reorganization revokes updates, and sends them again when the events reappear', async () => {
      for (const n of [1, 2]) await store.insertQuote(newQuote(n))
      await applyBlock(store, 1)
      await store.applyBlocks(bundleOf(2, 1, [opened(1), filled(1)]))
      await store.applyBlocks(bundleOf(2, 1, [opened(1), filled(1)]))
      await rollBackTo(store, blockOf(1))
      await rollBackTo(store, blockOf(1))
      await store.applyBlocks(bundleOf(3, 1, [opened(2), filled(1)]))
      await rollBackTo(store, null)
      expect(await shortly()).toEqual(['1 1 filled 2', '2 1 active 1', '3 1 filled 3', '4 1 active 0'])
      const [, back, again] = await toldTo()
      expect(back).not.toHaveProperty('transactionHash')
      expect(back).not.toHaveProperty('positionId')
      expect(again).toMatchObject({ positionId: 2n })
    })

    test('behavior: a quote cancelled after its nonce was raised, and the rollback', async () => {
      await store.insertQuote(newQuote(1))
      await applyBlock(store, 1, raised(1n))
      await applyBlock(store, 2, raised(2n), cancelled(1))
      await rollBackTo(store, blockOf(1))
      await store.applyBlocks(updateOf(3, 1, [raised(2n)]))
      expect(await shortly()).toEqual(['1 1 nonce_raised 1', '2 1 cancelled 2', '3 1 nonce_raised 1'])
    })

    test('behavior: an end that precedes its quote is sent once, when the quote is stored', async () => {
      await store.applyBlocks(bundleOf(1, null, [opened(5), filled(1), raised(1n), cancelled(4)]))
      for (let again = 0; again < 2; again += 1) for (const n of [1, 2]) await store.insertQuote(newQuote(n))
      await store.insertQuote(newQuote(3, { nonce: 1n }))
      await runAuction(store, newAuction(), [newAuctionQuote(4, rfqId, { maker: makerOf(4) })])
      expect(await shortly()).toEqual(['1 1 filled 1', '2 2 nonce_raised 1'])
      expect((await toldTo())[0]).toMatchObject({ positionId: 5n })
      expect(await shortly(makerOf(4))).toEqual(['1 4 cancelled 1'])
      await store.insertQuote(newQuote(4, { maker: makerOf(4) }))
      expect(await toldTo(makerOf(4))).toHaveLength(1)
    })

    test('behavior: a raised nonce neither ends expired quotes nor is revoked; a cancellation does and is', async () => {
      // The second update in block 2 is the first quote's last update.
      await store.insertQuote(newQuote(1, { deadline: now + 2n }))
      await store.insertQuote(newQuote(2, { deadline: now + 1n }))
      await store.insertQuote(newQuote(3, { deadline: now + 1n }))
      await applyBlock(store, 1)
      await applyBlock(store, 2, raised(1n), cancelled(3))
      expect((await shortly()).sort()).toEqual(
        expect.arrayContaining([expect.stringMatching(/ 1 nonce/), expect.stringMatching(/ 3 cancelled/)]),
      )
      expect(await toldTo()).toHaveLength(2)
      await rollBackTo(store, blockOf(1))
      expect((await toldTo()).slice(2).map(({ hash, status }) => [Number(hash), status])).toEqual(
        expect.arrayContaining([
          [1, 'active'],
          [3, 'active'],
        ]),
      )
      expect(await toldTo()).toHaveLength(4)
      await store.applyBlocks(updateOf(4, 1, [raised(1n)]))
      expect(await toldTo()).toHaveLength(4)
    })

    test('behavior: finalized updates are sent again as final', async () => {
      for (const n of [1, 2, 3]) await store.insertQuote(newQuote(n))
      expect(await store.findUnfinalizedBlock()).toBeNull()
      await store.applyBlocks(bundleOf(1, null, [opened(1), filled(1)]))
      await applyBlock(store, 2, cancelled(2))
      await applyBlock(store, 3, cancelled(3))
      expect(await store.findUnfinalizedBlock()).toBe(1n)
      const point = (n: number): { number: bigint; hash: Hex } => ({ number: BigInt(n), hash: blockOf(n).hash })
      await store.finalize({ number: 2n, hash: hashOf(9) }, toldAt)
      await store.finalize(point(4), toldAt)
      expect(await toldTo()).toHaveLength(3)
      for (let again = 0; again < 2; again += 1) await store.finalize(point(2), toldAt)
      expect((await shortly()).slice(3)).toEqual(['4 1 filled 1 final', '5 2 cancelled 2 final'])
      const [first, , , final] = await toldTo()
      expect(final).toEqual({ ...first, seq: 4, final: true })
      expect(await store.findUnfinalizedBlock()).toBe(3n)
      // A node may revert a finalized block. The store then adds the status update as usual.
      await rollBackTo(store, blockOf(1))
      expect((await shortly()).slice(5).sort()).toEqual([
        expect.stringMatching(/ active 1$/),
        expect.stringMatching(/ active 1$/),
      ])
      expect(await store.findUnfinalizedBlock()).toBeNull()
    })

    test('behavior: new updates of all makers are found by ID', async () => {
      await store.insertQuote(newQuote(1))
      await store.insertQuote(newQuote(2, { maker: other }))
      const { last, told } = await store.listPendingUpdates(null)
      expect([told, (await store.listPendingUpdates(last)).told]).toEqual([[], []])
      await applyBlock(store, 1, cancelled(1))
      await applyBlock(store, 2, filled(2))
      const news = await store.listPendingUpdates(last)
      expect(news.told).toEqual([
        { maker, status: 'cancelled', final: false },
        { maker: other, status: 'filled', final: false },
      ])
      expect(news.last).toBeGreaterThan(last)
      expect(await store.listPendingUpdates(news.last)).toEqual({ last: news.last, told: [] })
      await store.finalize(blockOf(1), toldAt)
      expect((await store.listPendingUpdates(news.last)).told).toEqual([{ maker, status: 'cancelled', final: true }])
    })
  })
}
