import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import {
  answerOf,
  auctionDurationMs,
  type HubFixture,
  hold,
  opened,
  openingOf,
  request,
  send,
  settle,
  startHub,
} from '../../../test/startHub.ts'

let it: HubFixture
beforeEach(async () => {
  it = await startHub()
})
afterEach(() => it.close())

/** Drains a hub. `isOver` returns whether the drain has finished. */
function drain(hub = it.hub) {
  const draining = { isOver: false }
  void hub.drain().then(() => {
    draining.isOver = true
  })
  return draining
}

const close = async () => {
  it.clock.advance(auctionDurationMs)
  await settle()
}

test('default: without open auctions it ends immediately', async () => {
  const [draining, again] = [drain(), drain()]
  await settle()
  expect([draining.isOver, again.isOver]).toEqual([true, true])
  expect(await openingOf(it.hub)).toBe('OVERLOADED')
})

test('behavior: open auctions run to completion', async () => {
  const auction = await opened(it.hub)
  const draining = drain()
  await settle()
  expect(draining.isOver).toBe(false)
  expect((await send(it.hub, auction, 1)).ok).toBe(true)
  await settle()
  expect(draining.isOver).toBe(false)
  await close()
  expect(draining.isOver).toBe(true)
  expect(await it.hub.find(auction.rfq.rfqId)).toMatchObject({ status: 'closed', quotes: [{}] })
})

test('behavior: every quote is answered before the end, even when its auction has closed', async () => {
  const shared = it.startPeer('own', { isShared: true })
  const auction = await opened(shared)
  it.chain.verdict = 'hangs'
  const quoted = [send(shared, auction, 1), send(shared, auction, 2)]
  const release = hold(it.store, 'findAuctionEntry')
  const draining = drain(shared)
  await close()
  expect([shared.count().open, draining.isOver]).toEqual([0, false])
  release()
  await settle()
  expect(draining.isOver).toBe(true)
  for (const answer of quoted) expect(await answer).toMatchObject({ rejection: { code: 'AUCTION_CLOSED' } })
})

test('behavior: an answer is sent to its backer before the drain ends', async () => {
  const auction = await opened(it.hub)
  it.chain.verdict = 'hangs'
  const order: string[] = []
  const answered = async () => {
    await send(it.hub, auction, 1)
    // A server awaits several promises before it writes an answer to a socket.
    for (let steps = 0; steps < 20; steps += 1) await Promise.resolve()
    order.push('answered')
  }
  void answered()
  void it.hub.drain().then(() => order.push('drained'))
  await close()
  expect(order).toEqual(['answered', 'drained'])
})

test('behavior: all backers have the outcome before the drain ends', async () => {
  const backers = 1_000
  let told = 0
  const send = (frame: string) => {
    told += Number(frame.includes('auction_result'))
  }
  for (let number = 0; number < backers; number += 1) it.hub.join({ address: numberToHex(number, { size: 20 }), send })
  await opened(it.hub)
  await settle()
  let toldBefore = 0
  void it.hub.drain().then(() => {
    toldBefore = told
  })
  await close()
  await settle()
  expect(toldBefore).toBe(backers)
})

test('behavior: it waits for an opening auction, even if the opening fails', async () => {
  for (const isWritten of [true, false]) {
    await it.close()
    it = await startHub()
    const { openAuction } = it.store
    it.store.openAuction = (auction) => (isWritten ? openAuction(auction) : Promise.reject(new TypeError('a bug')))
    const release = hold(it.store, 'openAuction')
    const opening = answerOf(it.hub.open(request, { address: 'one' }))
    await settle()
    const draining = drain()
    await settle()
    expect(draining.isOver).toBe(false)
    release()
    await opening
    await settle()
    expect(draining.isOver).toBe(!isWritten)
    await close()
    expect(draining.isOver).toBe(true)
  }
})

test('behavior: it waits for open and opening auctions together', async () => {
  await opened(it.hub)
  it.clock.advance(1_000)
  const release = hold(it.store, 'openAuction', 'answered')
  const opening = it.hub.open(request, { address: 'one' })
  await settle()
  const draining = drain()
  await settle()
  expect([it.hub.count().open, draining.isOver]).toEqual([1, false])
  it.clock.advance(auctionDurationMs - 1_000)
  await settle()
  expect([it.hub.count().open, draining.isOver]).toEqual([0, false])
  release()
  await opening
  await close()
  expect(draining.isOver).toBe(true)
})

test('behavior: quotes for auctions of other instances are accepted, without waiting for those auctions', async () => {
  const peer = it.startPeer('own')
  await peer.follow((await opened(it.hub)).rfq.rfqId)
  let isOver = false
  void peer.drain().then(() => {
    isOver = true
  })
  it.clock.advance(auctionDurationMs - 1_000)
  const later = await opened(it.hub)
  expect((await send(peer, later, 1)).ok).toBe(true)
  await settle()
  expect([peer.count().open, isOver]).toEqual([2, false])
  for (let second = 0; second < 2; second += 1) {
    it.clock.advance(1_000)
    await settle()
  }
  expect([peer.count().open, isOver]).toEqual([1, true])
  expect(await it.hub.find(later.rfq.rfqId)).toMatchObject({ status: 'open' })
})

test('behavior: a stopped instance is drained', async () => {
  await opened(it.hub)
  it.hub.stop()
  const draining = drain()
  await settle()
  expect(draining.isOver).toBe(true)
})
