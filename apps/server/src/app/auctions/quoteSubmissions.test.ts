import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  answerOf,
  auctionDurationMs,
  count,
  type HubFixture,
  hold,
  opened,
  send,
  settle,
  startHub,
} from '../../../test/startHub.ts'
import { hashOf, maker, newAuctionQuote, openedAt } from '../../../test/storedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import type { AuctionHub, FollowedAuction } from '../service.ts'

let it: HubFixture
let peer: AuctionHub
let auction: FollowedAuction
beforeEach(async () => {
  it = await startHub()
  peer = it.startPeer('own')
  auction = await opened(it.hub)
})
afterEach(() => it.close())

const close = async () => {
  it.clock.advance(auctionDurationMs)
  await settle()
}
const closesAt = openedAt + auctionDurationMs
const accepted = (number: number, receivedAt = openedAt) => ({
  ok: true,
  value: { hash: hashOf(number), receivedAt, closesAt },
})
const refused = (rejection: object) => ({ ok: false, rejection })
/** Submits a different quote from the maker of quote 1. */
const sendOther = (hub: AuctionHub) => {
  const { quote } = newAuctionQuote(2, undefined, { maker: newAuctionQuote(1).quote.maker })
  return hub.submit({ backer: quote.maker, rfqId: publicRfqId(auction.rfq.rfqId), quote })
}

describe('an auction that runs here', () => {
  test('default: a single instance answers without reading the rows', async () => {
    const reads = count(it.store, 'findAuctionEntry')
    it.chain.verdict = 'refused'
    expect(await send(it.hub, auction, 1)).toMatchObject(refused({ code: 'NONCE_MISMATCH' }))
    it.chain.verdict = 'good'
    expect(await send(it.hub, auction, 1)).toEqual(accepted(1))
    expect(await sendOther(it.hub)).toEqual(refused({ code: 'ALREADY_QUOTED', hash: hashOf(1) }))
    expect(reads()).toBe(0)
  })

  describe('and may run on another instance', () => {
    let shared: AuctionHub
    beforeEach(async () => {
      shared = it.startPeer('own', { isShared: true })
      auction = await opened(shared)
    })

    test('behavior: a quote that another instance accepted is not refused', async () => {
      expect(await send(peer, auction, 1)).toEqual(accepted(1))
      it.clock.advance(1_000)
      it.chain.verdict = 'refused'
      expect(await send(shared, auction, 1)).toEqual(accepted(1))
      expect(await sendOther(shared)).toMatchObject({ ok: false })
    })

    test('error: the outcome is unknown while the rows cannot be read', async () => {
      it.chain.verdict = 'refused'
      it.store.findAuctionEntry = () => Promise.reject(new StorageUnavailableError('no answer'))
      expect(await send(shared, auction, 1)).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(1) }))
      expect(it.logs.at(-1)).toMatchObject({ level: 'warn', message: 'failed to read auction rows' })
    })

    test('error: a refusal stands when the auction or its quote is not in the rows', async () => {
      it.chain.verdict = 'refused'
      expect(await send(shared, auction, 1)).toMatchObject(refused({ code: 'NONCE_MISMATCH' }))
      it.store.findAuctionEntry = async () => null
      expect(await send(shared, auction, 1)).toMatchObject(refused({ code: 'NONCE_MISMATCH' }))
    })
  })

  test('behavior: an unknown outcome is reported without reading the rows', async () => {
    it.store.acceptQuote = () => Promise.reject(new OutcomeUnknownError('The writer has ended.'))
    const reads = count(it.store, 'findAuctionEntry')
    const answer = send(it.hub, auction, 1)
    await settle()
    it.clock.advance(5_000)
    expect(await answerOf(answer)).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(1) }))
    expect(reads()).toBe(0)
  })
})

describe('an auction that does not run here', () => {
  test('default: the instance joins it', async () => {
    expect(await send(peer, auction, 1)).toEqual(accepted(1))
    expect(peer.count().open).toBe(1)
  })

  test('error: it does not exist', async () => {
    const rfqId = publicRfqId(auction.rfq.rfqId).replaceAll(/[0-9]/g, '0') as ReturnType<typeof publicRfqId>
    expect(await send(it.hub, auction, 1, rfqId)).toEqual(refused({ code: 'RFQ_NOT_FOUND', rfqId }))
    const secret = auction.rfq.rfqId as unknown as typeof rfqId
    expect(await send(it.hub, auction, 1, secret)).toMatchObject(refused({ code: 'RFQ_NOT_FOUND' }))
  })

  test('behavior: a quote in its rows is acknowledged, also after the close, without joining the auction', async () => {
    it.clock.advance(7)
    await send(it.hub, auction, 1)
    expect(await send(peer, auction, 1)).toEqual(accepted(1, openedAt + 7))
    expect(peer.count().open).toBe(0)
    await close()
    expect(await send(peer, auction, 1)).toEqual(accepted(1, openedAt + 7))
  })

  test('behavior: a quote in the rows of a shared database is acknowledged after a later write', async () => {
    const shared = it.startPeer('own', { isShared: true })
    await send(it.hub, auction, 1)
    const probes = count(it.store, 'probe')
    expect(await send(shared, auction, 1)).toEqual(accepted(1))
    expect(probes()).toBe(1)
    it.store.probe = () => Promise.reject(new OutcomeUnknownError('The server has stopped to wait for its standby.'))
    expect(await send(shared, auction, 1)).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(1) }))
    // If only one process uses the database, it has already waited for the disk.
    expect(await send(peer, auction, 1)).toEqual(accepted(1))
  })

  test('error: it is closed, also for a backer who has another quote in it', async () => {
    await send(it.hub, auction, 1)
    await close()
    const reads = count(it.store, 'findAuction')
    for (const answer of [send(peer, auction, 3), sendOther(peer)]) {
      expect(await answer).toEqual(refused({ code: 'AUCTION_CLOSED', closedAt: closesAt }))
    }
    expect(reads()).toBe(0)
  })

  test('error: it closes while its row is read', async () => {
    const release = hold(it.store, 'findAuction')
    const answer = send(peer, auction, 1)
    await settle()
    await close()
    release()
    expect(await answerOf(answer)).toEqual(refused({ code: 'AUCTION_CLOSED', closedAt: closesAt }))
  })

  test('behavior: a quote that is accepted while its row is read, before the close, is acknowledged', async () => {
    const release = hold(it.store, 'findAuction')
    const answer = send(peer, auction, 1)
    await settle()
    await send(it.hub, auction, 1)
    await close()
    release()
    expect(await answerOf(answer)).toEqual(accepted(1))
  })

  test('behavior: an auction that ends before it looks at a quote has its rows read, in a single instance too', async () => {
    peer.join({ address: maker, send: () => peer.stop() })
    const release = hold(it.store, 'findAuction')
    const answer = send(peer, auction, 1)
    await settle()
    // An earlier write stored the quote with an unknown outcome.
    await send(it.hub, auction, 1)
    release()
    expect(await answerOf(answer)).toEqual(accepted(1))
  })

  test('error: the instance stops while the row is read', async () => {
    const release = hold(it.store, 'findAuction')
    const answer = send(peer, auction, 1)
    await settle()
    peer.stop()
    const reads = count(it.store, 'findAuctionEntry')
    await close()
    release()
    expect(await answerOf(answer)).toEqual(refused({ code: 'OVERLOADED' }))
    expect(reads()).toBe(0)
  })

  test('error: the row is gone, or open, by the time it is read again', async () => {
    it.store.findAuction = async () => null
    expect(await send(peer, auction, 1)).toEqual(refused({ code: 'OVERLOADED' }))
    const { findAuctionEntry } = it.store
    it.store.findAuctionEntry = (...given) => {
      it.store.findAuctionEntry = async () => null
      return findAuctionEntry(...given)
    }
    expect(await send(peer, auction, 1)).toEqual(refused({ code: 'OVERLOADED' }))
  })

  test('error: the joined auction refuses the quote', async () => {
    it.chain.verdict = 'refused'
    expect(await send(peer, auction, 1)).toMatchObject(refused({ code: 'NONCE_MISMATCH' }))
  })
})

test('behavior: a decline is logged for an auction that runs here', async () => {
  const decline = { backer: maker, rfqId: publicRfqId(auction.rfq.rfqId), reason: 'CAPACITY' }
  it.hub.decline(decline)
  expect(it.logs.at(-1)).toMatchObject({ level: 'debug', facts: { backer: maker, reason: 'CAPACITY' } })
  const logged = it.logs.length
  peer.decline(decline)
  expect(it.logs).toHaveLength(logged)
})
