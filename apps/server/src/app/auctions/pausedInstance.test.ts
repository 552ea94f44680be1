// An instance is paused during a close, as by SIGSTOP, and then resumes. Backers and followers must receive exactly
// what the rows contain.

import type { Clock } from '@firmquote/core/utils'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  answerOf,
  auctionDurationMs,
  follow,
  type HubFixture,
  opened,
  send,
  settle,
  startHub,
} from '../../../test/startHub.ts'
import { maker } from '../../../test/storedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import type { Store } from '../../ports/store.ts'
import type { AuctionHub, FollowedAuction } from '../service.ts'

let it: HubFixture
beforeEach(async () => {
  it = await startHub()
})
afterEach(() => it.close())

/**
 * Starts an instance that receives no bus messages from the others and can be paused. While it is paused, its timers
 * and its store calls make no progress.
 */
async function startPausable() {
  let isPaused = false
  const waiting: (() => void)[] = []
  const whenAwake = () => new Promise<void>((resolve) => (isPaused ? waiting.push(resolve) : resolve()))
  const clock: Clock = {
    ...it.clock,
    after: (milliseconds, callback) => {
      let isCancelled = false
      const cancel = it.clock.after(milliseconds, () => {
        if (isPaused) waiting.push(() => isCancelled || callback())
        else callback()
      })
      return () => {
        isCancelled = true
        cancel()
      }
    },
  }
  const pausable = <T extends object>(methods: T, names: readonly (keyof T)[]): T => ({
    ...methods,
    ...Object.fromEntries(
      names.map((name) => [
        name,
        async (...given: unknown[]) => {
          await whenAwake()
          const answer = await (methods[name] as (...given: unknown[]) => Promise<unknown>)(...given)
          await whenAwake()
          return answer
        },
      ]),
    ),
  })
  const reads = ['findAuction', 'findAuctionEntry', 'listOpenAuctions'] as const
  const store: Store = pausable(it.store, ['openAuction', 'acceptQuote', 'closeAuction', ...reads])
  const chain = pausable(it.deps.chain, ['readQuoteStates'])
  const hub = it.startPeer('own', { clock, store, chain, random: (bytes) => new Uint8Array(bytes).fill(200) })
  await hub.resume()
  return {
    hub,
    pause() {
      isPaused = true
    },
    async wake() {
      isPaused = false
      for (const go of waiting.splice(0)) go()
      await settle()
    },
  }
}

/** Collects what an instance's backers receive when an auction ends. */
function joinBacker(hub: AuctionHub) {
  const results: Record<string, unknown>[] = []
  hub.join({
    address: maker,
    send(frame) {
      const message = JSON.parse(frame)
      if (message.type === 'auction_result') results.push(message)
    },
  })
  return results
}

/** Advances time for the instances that are not paused. */
const pass = async (milliseconds: number) => {
  for (let left = milliseconds; left > 0; left -= 250) {
    it.clock.advance(Math.min(left, 250))
    await settle()
  }
}

const rowsOf = async ({ rfq }: FollowedAuction) => (await it.store.findAuction({ rfqId: rfq.rfqId }))?.quotes.length

describe('the instance that opened an auction is paused across its close', () => {
  test('default: another instance closes it; the paused one reports the same from the rows', async () => {
    const paused = await startPausable()
    await it.hub.resume()
    const results = joinBacker(paused.hub)
    const auction = await opened(paused.hub)
    const here = follow(auction)
    expect((await send(paused.hub, auction, 1)).ok).toBe(true)
    await pass(2_000)
    const elsewhere = follow((await it.hub.follow(auction.rfq.rfqId)) as FollowedAuction)
    paused.pause()
    expect((await send(it.hub, auction, 2)).ok).toBe(true)
    await pass(auctionDurationMs)
    expect(elsewhere.places()).toEqual(['started 0', 'quote 1', 'quote 2', 'done 3'])
    expect([here.places(), here.ended]).toEqual([['started 0', 'quote 1'], 0])
    await paused.wake()
    expect([here.events, here.ended]).toEqual([elsewhere.events, 1])
    expect(await paused.hub.find(auction.rfq.rfqId)).toEqual(await it.hub.find(auction.rfq.rfqId))
    expect(await paused.hub.find(auction.rfq.rfqId)).not.toHaveProperty('interrupted')
    expect(results).toMatchObject([{ rfqId: publicRfqId(auction.rfq.rfqId), quoteCount: 2 }])
  })

  test('behavior: a quote under judgement is not added; its maker gets AUCTION_CLOSED', async () => {
    const paused = await startPausable()
    await it.hub.resume()
    const auction = await opened(paused.hub)
    await pass(2_000)
    paused.pause()
    const verdict = send(paused.hub, auction, 1)
    await pass(auctionDurationMs)
    const result = await it.hub.find(auction.rfq.rfqId)
    expect(result).toMatchObject({ status: 'closed', quotes: [] })
    await paused.wake()
    expect(await answerOf(verdict)).toMatchObject({ ok: false, rejection: { code: 'AUCTION_CLOSED' } })
    expect(await paused.hub.find(auction.rfq.rfqId)).toEqual(result)
    expect(await rowsOf(auction)).toBe(0)
  })

  test('behavior: a stored quote without an answer is accepted, in the result and in its verdict', async () => {
    const paused = await startPausable()
    await it.hub.resume()
    const auction = await opened(paused.hub)
    await pass(2_000)
    const { acceptQuote } = it.store
    let isStored = false
    it.store.acceptQuote = async (...given) => {
      const answer = await acceptQuote(...given)
      isStored = true
      return answer
    }
    const again = await startPausable()
    const taken = await again.hub.follow(auction.rfq.rfqId)
    const verdict = send(again.hub, taken as FollowedAuction, 1)
    while (!isStored) await settle()
    await answerOf(verdict)
    again.pause()
    paused.pause()
    await pass(auctionDurationMs)
    expect(await it.hub.find(auction.rfq.rfqId)).toMatchObject({ status: 'closed', quotes: [{}] })
    await again.wake()
    await paused.wake()
    expect(await verdict).toMatchObject({ ok: true })
    // The same quote gets the same answer from the instance that has just resumed.
    expect(await send(paused.hub, auction, 1)).toEqual(await verdict)
    expect(await rowsOf(auction)).toBe(1)
  })

  test('behavior: after it resumes, a reader gets the common result even while it cannot write', async () => {
    const paused = await startPausable()
    await it.hub.resume()
    const auction = await opened(paused.hub)
    await pass(2_000)
    paused.pause()
    await pass(auctionDurationMs)
    const result = await it.hub.find(auction.rfq.rfqId)
    expect(result).toMatchObject({ status: 'closed' })
    it.store.closeAuction = () => new Promise(() => {})
    const read = paused.hub.find(auction.rfq.rfqId)
    await paused.wake()
    expect(await read).toEqual(result)
    expect(await paused.hub.find(auction.rfq.rfqId)).toEqual(result)
  })

  test('behavior: a quote that arrives after it resumes and before its poll is refused by the rows', async () => {
    const paused = await startPausable()
    await it.hub.resume()
    const auction = await opened(paused.hub)
    await pass(2_000)
    paused.pause()
    await pass(auctionDurationMs)
    // The submission arrives before any timer fires.
    const verdict = send(paused.hub, auction, 3)
    await paused.wake()
    expect(await answerOf(verdict)).toMatchObject({ ok: false, rejection: { code: 'AUCTION_CLOSED' } })
    expect(await rowsOf(auction)).toBe(0)
  })
})
