// Long because the tests share one hub and its peers.

import type { RFQBroadcast } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { unbanned } from '../../../test/noControls.ts'
import {
  answerOf,
  auctionDurationMs,
  count,
  follow,
  type HubFixture,
  hold,
  opened,
  request,
  send,
  settle,
  startHub,
} from '../../../test/startHub.ts'
import { hashOf, maker, newAuctionQuote } from '../../../test/storedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import { createMakerChecks } from '../quotes/makerChecks.ts'
import type { AuctionHub, FollowedAuction } from '../service.ts'
import { createAuctionHub } from './auctionHub.ts'

let it: HubFixture
beforeEach(async () => {
  it = await startHub()
})
afterEach(() => it.close())

/** Advances time in steps. Every response due within a step arrives before the next step. */
const pass = async (milliseconds: number, stepMs = milliseconds) => {
  for (let left = milliseconds; left > 0; left -= stepMs) {
    it.clock.advance(Math.min(left, stepMs))
    await settle()
  }
}
const publicId = ({ rfq }: FollowedAuction) => publicRfqId(rfq.rfqId)
const errors = () => it.logs.filter(({ level }) => level === 'error')

/** Connects a backer to an instance and collects its messages, by type and auction. */
function joinBacker(hub: AuctionHub) {
  const told: string[] = []
  const send = (frame: string) => {
    const { type, rfqId } = JSON.parse(frame) as { type: string } & Pick<RFQBroadcast, 'rfqId'>
    told.push(`${type} ${rfqId}`)
  }
  const { openRfqs } = hub.join({ address: maker, send })
  return { told, openRfqs }
}

/**
 * An instance that receives nothing from the first one. The peer closes auctions opened elsewhere 625 ms after their
 * deadline.
 */
const startPeer = (bus: 'shared' | 'own' = 'own') =>
  it.startPeer(bus, { random: (bytes) => new Uint8Array(bytes).fill(128) })

describe('an auction that is opened', () => {
  test('default', async () => {
    const backer = joinBacker(it.hub)
    const auction = await opened(it.hub)
    await settle()
    expect(backer.told).toEqual([`rfq ${publicId(auction)}`])
    expect(joinBacker(it.hub).openRfqs).toMatchObject([{ rfqId: publicId(auction) }])
    expect(it.hub.count()).toEqual({ open: 1, backers: 1 })
    expect(it.observed).toEqual(['opened'])
    await pass(auctionDurationMs)
    expect(backer.told).toEqual([`rfq ${publicId(auction)}`, `auction_result ${publicId(auction)}`])
    expect(it.hub.count().open).toBe(0)
    expect(it.observed).toEqual(['opened', 'abandoned', 'done'])
    // The only remaining timer is for the next read of the backer's funds.
    expect([it.clock.pending(), errors()]).toEqual([1, []])
    expect(it.logs.map(({ message }) => message)).toEqual(['auction opened', 'auction closed'])
  })

  test('default: the messages to backers, each with the outcome of its own quote', async () => {
    const makers = [1, 2, 3].map((number) => newAuctionQuote(number).quote.maker)
    const told = [...makers, ...makers.slice(0, 1)].map((address) => {
      const frames: unknown[] = []
      it.hub.join({ address, send: (frame) => frames.push(JSON.parse(frame)) })
      return frames
    })
    const auction = await opened(it.hub, { maxVrtAmount: 500n })
    const events = follow(auction)
    await settle()
    const { rfqId: _, notional, minNotional, minDeadline, maxVrtAmount, ...terms } = auction.rfq
    const texts = { notional: `${notional}`, minNotional: `${minNotional}`, minDeadline: `${minDeadline}` }
    const rfq = { type: 'rfq', rfqId: publicId(auction), ...terms, ...texts, maxVrtAmount: '500' }
    expect(told).toEqual([[rfq], [rfq], [rfq], [rfq]])
    expect([terms.closesAt - terms.openedAt, auction.backers]).toEqual([auctionDurationMs, 3])
    await pass(2_000)
    const quoted = [await send(it.hub, auction, 1), await send(it.hub, auction, 2)]
    const { closesAt, openedAt } = terms
    expect(quoted).toEqual(
      [1, 2].map((number) => ({ ok: true, value: { hash: hashOf(number), receivedAt: openedAt + 2_000, closesAt } })),
    )
    await pass(auctionDurationMs - 2_000)
    const { quotes, closedAt } = await auction.result()
    const ranking = quotes.map(({ hash }) => hash)
    expect([closedAt, [...ranking].sort()]).toEqual([closesAt, [1, 2].map(hashOf)])
    expect(events.events.at(-1)?.data).toMatchObject({ quoteCount: 2, ranking })
    const close = { type: 'auction_result', rfqId: publicId(auction), closedAt, quoteCount: 2 }
    const own = (number: number) => ({
      ...close,
      own: { hash: hashOf(number) },
      outcome: ranking[0] === hashOf(number) ? 'best' : 'close',
    })
    expect(told.map((frames) => frames.at(-1))).toEqual([own(1), own(2), close, own(1)])
  })

  test('behavior: it closes by the monotonic clock, despite jumps of the wall clock', async () => {
    for (const jump of [-86_400_000, 86_400_000]) {
      const auction = await opened(it.hub)
      const told = follow(auction)
      it.clock.jump(jump)
      await pass(auctionDurationMs - 1)
      expect(told.places()).toEqual(['started 0'])
      await pass(1)
      expect(told.places()).toEqual(['started 0', 'done 1'])
      expect((await auction.result()).closedAt).toBe(auction.rfq.closesAt)
      it.clock.jump(-jump)
    }
  })

  test('behavior: observers are optional', async () => {
    const { observe: _, ...unobserved } = it.deps
    const hub = createAuctionHub({ ...unobserved, ...createMakerChecks(unobserved), ...unbanned }, it)
    const { rfq } = await opened(hub)
    await pass(auctionDurationMs)
    expect(await hub.find(rfq.rfqId)).toMatchObject({ status: 'closed' })
    expect([hub.count().open, errors()]).toEqual([0, []])
    hub.stop()
  })

  test('behavior: a poll does not join it while its row is being written', async () => {
    await it.hub.resume()
    const backer = joinBacker(it.hub)
    const release = hold(it.store, 'openAuction', 'answered')
    const auction = opened(it.hub)
    await settle()
    await pass(1_000)
    expect([it.hub.count().open, backer.told]).toEqual([0, []])
    release()
    const { rfq } = await auction
    await settle()
    expect(backer.told).toEqual([`rfq ${publicRfqId(rfq.rfqId)}`])
    await pass(1_000)
    expect(it.hub.count().open).toBe(1)
  })

  test('behavior: a quote during the write reaches the same auction', async () => {
    const releaseOpening = hold(it.store, 'openAuction', 'answered')
    const releaseReading = hold(it.store, 'findAuction', 'answered')
    const opening = opened(it.hub)
    await settle()
    const [row] = await it.store.listOpenAuctions()
    const quoted = send(it.hub, {} as FollowedAuction, 1, row?.publicRfqId)
    await settle()
    releaseOpening()
    const auction = await opening
    releaseReading()
    expect(await answerOf(quoted)).toMatchObject({ ok: true })
    expect(follow(auction).places()).toEqual(['started 0', 'quote 1'])
    expect(it.hub.count().open).toBe(1)
  })
})

describe('resume', () => {
  test('default: auctions from a previous process continue and close at their deadline', async () => {
    const { rfq } = await opened(it.hub)
    it.hub.stop()
    const next = startPeer()
    const backer = joinBacker(next)
    await next.resume()
    expect(it.logs.at(-1)).toMatchObject({ level: 'info', facts: { auctions: 1 } })
    expect(backer.told).toEqual([`rfq ${publicRfqId(rfq.rfqId)}`])
    const found = (await next.follow(rfq.rfqId)) as FollowedAuction
    const told = follow(found)
    expect((await send(next, found, 1)).ok).toBe(true)
    await pass(auctionDurationMs - 1)
    expect(told.places()).toEqual(['started 0', 'quote 1'])
    await pass(1)
    expect(told.places()).toEqual(['started 0', 'quote 1', 'done 2'])
    expect(told.events.at(-1)?.data).not.toHaveProperty('interrupted')
    expect(it.observed).toEqual(['opened', 'done'])
  })

  test('behavior: an overdue one closes immediately, as interrupted, and is not announced', async () => {
    const { rfq } = await opened(it.hub)
    it.hub.stop()
    await pass(auctionDurationMs)
    const next = startPeer()
    const backer = joinBacker(next)
    await next.resume()
    it.clock.advance(0)
    await settle()
    expect(await next.find(rfq.rfqId)).toMatchObject({ status: 'closed', interrupted: true })
    expect(backer.told).toEqual([`auction_result ${publicRfqId(rfq.rfqId)}`])
    expect(it.observed).toEqual(['opened', 'interrupted'])
  })

  test.each([
    ['interrupted', false, true],
    ['not interrupted next to other instances', true, undefined],
  ])('behavior: one that ends before the instance is ready is %s', async (_, isShared, interrupted) => {
    const [{ rfq }, slow] = [await opened(it.hub), await opened(it.hub)]
    it.hub.stop()
    const { findAuction } = it.store
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    it.store.findAuction = async (id, ...given) => {
      if ('publicRfqId' in id && id.publicRfqId === publicRfqId(slow.rfq.rfqId)) await released
      return findAuction(id, ...given)
    }
    const next = it.startPeer('own', { isShared })
    const resumed = next.resume()
    await settle()
    await pass(auctionDurationMs)
    await pass(1_000, 100)
    release()
    await resumed
    expect((await next.find(rfq.rfqId))?.status).toBe('closed')
    expect((await next.find(rfq.rfqId))?.interrupted).toBe(interrupted)
  })

  describe('next to other instances', () => {
    const startBeside = async () => {
      const next = it.startPeer('own', { isShared: true, random: (bytes) => new Uint8Array(bytes).fill(128) })
      await next.resume()
      return next
    }

    test('behavior: the opening instance closes an auction, with its count of refusals', async () => {
      const auction = await opened(it.hub)
      it.chain.verdict = 'refused'
      expect((await send(it.hub, auction, 1)).ok).toBe(false)
      const next = await startBeside()
      await pass(auctionDurationMs)
      await pass(1_000, 100)
      expect(await next.find(auction.rfq.rfqId)).toMatchObject({ status: 'closed', rejectedCount: 1 })
    })

    test('behavior: without that instance it closes within a second of its deadline, not interrupted', async () => {
      const { rfq } = await opened(it.hub)
      const next = await startBeside()
      it.hub.stop()
      await pass(auctionDurationMs + 624)
      expect(await next.find(rfq.rfqId)).toMatchObject({ status: 'open' })
      await pass(1)
      const result = await next.find(rfq.rfqId)
      expect(result).toMatchObject({ status: 'closed' })
      expect(result).not.toHaveProperty('interrupted')
    })

    test('behavior: overdue auctions are left to running instances', async () => {
      const { rfq } = await opened(it.hub)
      const release = hold(it.store, 'closeAuction', 'done')
      await pass(auctionDurationMs)
      const next = await startBeside()
      await pass(2_400, 100)
      release()
      await settle()
      await pass(1_000, 100)
      const result = await next.find(rfq.rfqId)
      expect(result).toMatchObject({ status: 'closed' })
      expect(result).not.toHaveProperty('interrupted')
    })

    test('behavior: without running instances it closes 2.5 seconds after the start, as interrupted', async () => {
      const { rfq } = await opened(it.hub)
      it.hub.stop()
      await pass(auctionDurationMs + 60_000)
      const next = await startBeside()
      await pass(2_499, 100)
      expect(await next.find(rfq.rfqId)).toMatchObject({ status: 'open' })
      await pass(1)
      expect(await next.find(rfq.rfqId)).toMatchObject({ status: 'closed', interrupted: true })
    })
  })

  test('behavior: without open auctions it only starts to poll', async () => {
    await it.hub.resume()
    expect(it.logs).toEqual([])
    const looks = count(it.store, 'listOpenAuctions')
    await pass(999)
    expect(looks()).toBe(0)
    await pass(1)
    expect(looks()).toBe(1)
    await pass(1_000)
    expect(looks()).toBe(2)
  })
})

describe('a poll of the open auctions', () => {
  const startLooking = async (bus: 'shared' | 'own' = 'own') => {
    const peer = startPeer(bus)
    await peer.resume()
    return peer
  }

  test('default: it joins an auction of another instance and announces it to local backers', async () => {
    const peer = await startLooking()
    const backer = joinBacker(peer)
    const auction = await opened(it.hub)
    expect(peer.count().open).toBe(0)
    await pass(1_000)
    expect(peer.count().open).toBe(1)
    expect(backer.told).toEqual([`rfq ${publicId(auction)}`])
    await pass(1_000)
    expect(backer.told).toHaveLength(1)
  })

  test('behavior: it reads new rows and closes of other instances', async () => {
    const peer = await startLooking()
    await pass(500)
    const auction = await opened(it.hub)
    const told = follow((await peer.follow(auction.rfq.rfqId)) as FollowedAuction)
    expect((await send(it.hub, auction, 1)).ok).toBe(true)
    await pass(499)
    expect(told.places()).toEqual(['started 0'])
    await pass(1)
    expect(told.places()).toEqual(['started 0', 'quote 1'])
    const reads = count(it.store, 'findAuction')
    await pass(auctionDurationMs - 500, 500)
    expect([reads(), told.places()]).toEqual([0, ['started 0', 'quote 1']])
    // The peer would not yet close the auction on its own.
    await pass(500)
    expect(told.places()).toEqual(['started 0', 'quote 1', 'done 2'])
    // The auction has no followers on the instance that opened it.
    expect(it.observed).toEqual(['opened', 'abandoned', 'done', 'done'])
  })

  test('behavior: an auction whose instance is gone closes within a second of its deadline', async () => {
    const peer = await startLooking()
    const { rfq } = await opened(it.hub)
    await pass(1_000)
    it.hub.stop()
    await pass(auctionDurationMs - 1_000 + 624)
    expect(await peer.find(rfq.rfqId)).toMatchObject({ status: 'open' })
    await pass(1)
    expect(await peer.find(rfq.rfqId)).toMatchObject({ status: 'closed' })
    expect(it.observed).toEqual(['opened', 'done'])
  })

  test('behavior: an auction that is found after its deadline is not interrupted, because an instance ran it', async () => {
    const peer = await startLooking()
    const backer = joinBacker(peer)
    const { rfq } = await opened(it.hub)
    it.store.listOpenAuctions = (
      (list) => async () =>
        it.clock.now() < rfq.closesAt ? [] : list()
    )(it.store.listOpenAuctions)
    it.hub.stop()
    await pass(auctionDurationMs)
    await pass(1_000)
    await pass(1_000)
    const found = await peer.find(rfq.rfqId)
    expect(found).toMatchObject({ status: 'closed' })
    expect(found).not.toHaveProperty('interrupted')
    expect(backer.told.filter((line) => line.startsWith('rfq'))).toEqual([])
  })

  test('behavior: an auction that opened during the read is not closed', async () => {
    await it.hub.resume()
    const release = hold(it.store, 'listOpenAuctions', 'answered')
    await pass(1_000)
    const auction = await opened(it.hub)
    release()
    await settle()
    expect((await send(it.hub, auction, 1)).ok).toBe(true)
  })

  test('error: a failed read is logged and repeated a second later', async () => {
    const peer = await startLooking()
    const { listOpenAuctions } = it.store
    it.store.listOpenAuctions = () => Promise.reject(new StorageUnavailableError('no answer'))
    await opened(it.hub)
    await pass(1_000)
    expect(it.logs.at(-1)).toMatchObject({ level: 'warn', message: 'failed to read the open auctions' })
    it.store.listOpenAuctions = listOpenAuctions
    await pass(1_000)
    expect(peer.count().open).toBe(1)
  })

  test('behavior: a draining instance joins no auction', async () => {
    const peer = await startLooking()
    await opened(it.hub)
    void peer.drain()
    const reads = count(it.store, 'findAuction')
    await pass(1_000)
    expect([reads(), peer.count().open]).toEqual([0, 0])
  })

  test('behavior: a stopped instance ends its polling, even during a poll', async () => {
    const peer = await startLooking()
    const auction = await opened(it.hub)
    await peer.follow(auction.rfq.rfqId)
    await send(it.hub, auction, 1)
    it.hub.stop()
    const release = hold(it.store, 'listOpenAuctions', 'answered')
    const reads = count(it.store, 'findAuction')
    await pass(1_000)
    peer.stop()
    release()
    await settle()
    expect([reads(), peer.count().open, it.clock.pending()]).toEqual([0, 0, 0])
  })
})

describe('messages of other instances', () => {
  test('default: followers get a quote and the close without a poll', async () => {
    const peer = startPeer('shared')
    const auction = await opened(it.hub)
    const told = follow((await peer.follow(auction.rfq.rfqId)) as FollowedAuction)
    await send(it.hub, auction, 1)
    await settle()
    expect(told.places()).toEqual(['started 0', 'quote 1'])
    await pass(auctionDurationMs)
    expect(told.places()).toEqual(['started 0', 'quote 1', 'done 2'])
    expect(errors()).toEqual([])
  })

  test('behavior: an instance does not read quotes that it accepted itself', async () => {
    const reads = count(it.store, 'findAuction')
    const auction = await opened(it.hub)
    await send(it.hub, auction, 1)
    await settle()
    expect(reads()).toBe(0)
  })

  test('behavior: they are ignored for auctions that do not run here', async () => {
    const peer = startPeer('shared')
    const reads = count(it.store, 'findAuction')
    const auction = await opened(it.hub)
    await send(it.hub, auction, 1)
    await pass(auctionDurationMs)
    expect([reads(), peer.count().open, errors()]).toEqual([0, 0, []])
  })

  test('behavior: quotes accepted in one slice cause one hint per auction', async () => {
    const told: unknown[] = []
    it.bus.subscribe('auction', (payload) => told.push(JSON.parse(payload)))
    const [one, two] = [await opened(it.hub), await opened(it.hub, {}, { address: 'two' })]
    const go = hold(it.store, 'acceptQuote', 'answered')
    const sent = [send(it.hub, one, 1), send(it.hub, one, 2), send(it.hub, two, 3), send(it.hub, one, 4)]
    await settle()
    go()
    await Promise.all(sent)
    await settle()
    expect(told).toEqual([
      { publicRfqId: publicId(one), seq: 3 },
      { publicRfqId: publicId(two), seq: 1 },
    ])
    await send(it.hub, one, 5)
    await settle()
    expect(told).toHaveLength(3)
  })

  test('behavior: a result before the deadline is not trusted: the auction continues to accept quotes', async () => {
    const auction = await opened(it.hub)
    const outcome = { rfqId: publicId(auction), closedAt: it.clock.now(), quoteCount: 0, backers: {} }
    const reads = count(it.store, 'findAuction')
    it.bus.publish('auction_result', JSON.stringify(outcome))
    await settle()
    expect(reads()).toBe(1)
    expect(await send(it.hub, auction, 1)).toMatchObject({ ok: true })
    await pass(auctionDurationMs)
    expect(await auction.result()).toMatchObject({ quotes: [{}], rejectedCount: 0 })
  })

  test('behavior: a hint about missing quotes causes a read and no change', async () => {
    const auction = await opened(it.hub)
    const told = follow(auction)
    const reads = count(it.store, 'findAuction')
    for (const seq of [7, 7, 0, -1]) {
      it.bus.publish('auction', JSON.stringify({ publicRfqId: publicId(auction), seq }))
      await settle()
    }
    expect(reads()).toBe(2)
    expect(told.places()).toEqual(['started 0'])
  })

  test('behavior: unknown shapes are ignored', async () => {
    const reads = count(it.store, 'findAuction')
    const publicRfqId = publicId(await opened(it.hub))
    for (const payload of ['', 'null', '[]', '{}', '{"seq":9}', JSON.stringify({ publicRfqId, seq: '9' })]) {
      it.bus.publish('auction', payload)
      it.bus.publish('auction_result', payload)
    }
    await settle()
    expect([reads(), it.logs.filter(({ level }) => level !== 'info' && level !== 'debug')]).toEqual([0, []])
  })

  test('behavior: when the message is lost, backers get the outcome from their own instance', async () => {
    const peer = startPeer()
    await peer.resume()
    const backer = joinBacker(peer)
    const auction = await opened(it.hub)
    await pass(1_000)
    await pass(auctionDurationMs)
    expect(backer.told).toEqual([`rfq ${publicId(auction)}`, `auction_result ${publicId(auction)}`])
  })
})

describe('join', () => {
  test('behavior: simultaneous joins read the row once and start one auction', async () => {
    const auction = await opened(it.hub)
    const peer = startPeer()
    const reads = count(it.store, 'findAuction')
    const answers = await Promise.all([1, 2, 3].map((number) => send(peer, auction, number)))
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(reads()).toBe(1)
  })

  test('error: a failed read of a row is repeated', async () => {
    const auction = await opened(it.hub)
    const peer = startPeer()
    const { findAuction } = it.store
    it.store.findAuction = () => Promise.reject(new StorageUnavailableError('no answer'))
    await expect(send(peer, auction, 1)).rejects.toThrow('no answer')
    it.store.findAuction = findAuction
    expect((await send(peer, auction, 1)).ok).toBe(true)
  })

  test('behavior: an instance that stops during the read joins no auction', async () => {
    const auction = await opened(it.hub)
    it.hub.stop()
    const peer = startPeer()
    const release = hold(it.store, 'findAuction', 'answered')
    const quoted = send(peer, auction, 1)
    await settle()
    peer.stop()
    release()
    expect(await answerOf(quoted)).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
    expect([peer.count().open, it.clock.pending()]).toEqual([0, 0])
  })
})

describe('find', () => {
  test('behavior: after the deadline the rows decide, even before a hint or a poll', async () => {
    const peer = startPeer()
    const auction = await opened(it.hub)
    const { rfqId } = auction.rfq
    await peer.follow(rfqId)
    const reads = count(it.store, 'findAuction')
    await pass(auctionDurationMs - 1)
    expect([await peer.find(rfqId), reads()]).toMatchObject([{ status: 'open' }, 1])
    const close = hold(it.store, 'closeAuction')
    it.clock.advance(1)
    await settle()
    expect([await peer.find(rfqId), reads()]).toMatchObject([{ status: 'open' }, 2])
    close()
    await settle()
    const result = await it.hub.find(rfqId)
    expect(result).toMatchObject({ status: 'closed' })
    expect(peer.count().open).toBe(1)
    expect(await peer.find(rfqId)).toEqual(result)
    // The best quotes are chosen once, no matter how often they are read.
    expect((await it.hub.find(rfqId))?.best).toBe(result?.best)
    it.store.findAuction = () => Promise.reject(new StorageUnavailableError('no answer'))
    await expect(peer.find(rfqId)).rejects.toThrow('no answer')
  })

  test('behavior: while the database is down, an open auction is answered from memory until its deadline', async () => {
    const auction = await opened(it.hub)
    await send(it.hub, auction, 1)
    it.store.findAuction = () => Promise.reject(new StorageUnavailableError('no answer'))
    await pass(auctionDurationMs - 1)
    expect(await it.hub.find(auction.rfq.rfqId)).toMatchObject({ status: 'open', quotes: [{}] })
    hold(it.store, 'closeAuction')
    it.clock.advance(1)
    await settle()
    await expect(it.hub.find(auction.rfq.rfqId)).rejects.toThrow('no answer')
  })
})

describe('follow', () => {
  test('default: an open auction, here or elsewhere, and a closed one', async () => {
    const auction = await opened(it.hub)
    const { rfqId } = auction.rfq
    await send(it.hub, auction, 1)
    const reads = count(it.store, 'findAuction')
    // Other instances first look up the auction, then join it.
    for (const { hub, read } of [
      { hub: it.hub, read: 0 },
      { hub: startPeer(), read: 2 },
    ]) {
      const found = (await hub.follow(rfqId)) as FollowedAuction
      expect(found).toMatchObject({ rfq: auction.rfq, backers: 0 })
      expect(follow(found).places()).toEqual(['started 0', 'quote 1'])
      expect(reads()).toBe(read)
    }
    await pass(auctionDurationMs)
    const closed = (await it.hub.follow(rfqId)) as FollowedAuction
    expect(reads()).toBe(3)
    expect(closed).toMatchObject({ rfq: auction.rfq, backers: 0 })
    const told = follow(closed)
    expect([told.places(), told.ended]).toEqual([['started 0', 'quote 1', 'done 2'], 1])
    told.leave()
    expect(follow(closed, 0).places()).toEqual(['quote 1', 'done 2'])
    expect(follow(closed, 2)).toMatchObject({ events: [], ended: 1 })
    expect(await closed.result()).toEqual(await it.hub.find(rfqId))
  })

  test('behavior: null for an unknown auction', async () => {
    const { rfq } = await opened(it.hub)
    const unknown = rfq.rfqId.replace('01', '02') as typeof rfq.rfqId
    // The public ID grants no access either.
    for (const id of [unknown, publicRfqId(rfq.rfqId) as unknown as typeof rfq.rfqId]) {
      expect([await it.hub.follow(id), await it.hub.find(id)]).toEqual([null, null])
    }
  })

  test('behavior: an auction that closes during the read is returned closed', async () => {
    const { rfq } = await opened(it.hub)
    const peer = startPeer()
    const release = hold(it.store, 'findAuction', 'answered')
    const followed = peer.follow(rfq.rfqId)
    await settle()
    await pass(auctionDurationMs)
    release()
    const told = follow((await followed) as FollowedAuction)
    expect([told.places(), told.ended]).toEqual([['started 0', 'done 1'], 1])
  })

  test('error: the instance stops while the row is read', async () => {
    const { rfq } = await opened(it.hub)
    const peer = startPeer()
    const release = hold(it.store, 'findAuction', 'answered')
    const followed = answerOf(peer.follow(rfq.rfqId))
    peer.stop()
    release()
    expect(await followed).toEqual({ error: 'OverloadedError' })
  })

  test('behavior: null for a row that is gone at the second read', async () => {
    const { rfq } = await opened(it.hub)
    const peer = startPeer()
    const { findAuction } = it.store
    it.store.findAuction = async (id) => {
      it.store.findAuction = async () => null
      return findAuction(id)
    }
    expect(await peer.follow(rfq.rfqId)).toBeNull()
  })
})

test('behavior: the result of an open auction counts the refusals so far', async () => {
  const auction = await opened(it.hub)
  await send(it.hub, auction, 1)
  it.chain.verdict = 'refused'
  expect((await send(it.hub, auction, 2)).ok).toBe(false)
  const result = { status: 'open', rejectedCount: 1, quotes: [{}] }
  expect(await it.hub.find(auction.rfq.rfqId)).toMatchObject(result)
  // Each instance counts its own refusals until the close writes them.
  expect(await startPeer().find(auction.rfq.rfqId)).toMatchObject({ ...result, rejectedCount: 0 })
})

test('behavior: endFollowing ends the streams; the auctions continue', async () => {
  const auction = await opened(it.hub)
  const told = follow(auction)
  it.hub.endFollowing()
  expect([told.places(), told.ended]).toEqual([['started 0'], 1])
  expect((await send(it.hub, auction, 1)).ok).toBe(true)
  await pass(auctionDurationMs)
  expect(await it.hub.find(auction.rfq.rfqId)).toMatchObject({ status: 'closed', quotes: [{}] })
})

test('behavior: a stop ends the streams and every timer; the rows stay open', async () => {
  await it.hub.resume()
  const auction = await opened(it.hub)
  const told = follow(auction)
  it.hub.stop()
  expect([told.ended, it.hub.count().open, it.clock.pending()]).toEqual([1, 0, 0])
  await pass(auctionDurationMs)
  expect(await it.store.listOpenAuctions()).toHaveLength(1)
  expect(await answerOf(it.hub.open(request, { address: 'one' }))).toMatchObject({ rejection: { code: 'OVERLOADED' } })
  expect(await it.store.listOpenAuctions()).toHaveLength(1)
})
