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
/** A quote of the maker of quote 1. */
const sendOther = (hub: AuctionHub) => {
  const { quote } = newAuctionQuote(2, undefined, { maker: newAuctionQuote(1).quote.maker })
  return hub.submit({ backer: quote.maker, rfqId: publicRfqId(auction.rfq.rfqId), quote })
}

describe('an auction that runs here', () => {
  test('default: an accepted quote, without another look at its row', async () => {
    const looks = count(it.store, 'findAuctionEntry')
    expect(await send(it.hub, auction, 1)).toEqual(accepted(1))
    expect(looks()).toBe(0)
  })

  test('error: what is refused, and was not accepted elsewhere either', async () => {
    it.chain.verdict = 'refused'
    expect(await send(it.hub, auction, 1)).toMatchObject(refused({ code: 'NONCE_MISMATCH' }))
    it.chain.verdict = 'good'
    expect(await send(it.hub, auction, 1)).toEqual(accepted(1))
    expect(await sendOther(it.hub)).toEqual(refused({ code: 'ALREADY_QUOTED', hash: hashOf(1) }))
  })

  test('behavior: what another instance has accepted is not refused', async () => {
    expect(await send(peer, auction, 1)).toEqual(accepted(1))
    it.clock.advance(1_000)
    it.chain.verdict = 'refused'
    expect(await send(it.hub, auction, 1)).toEqual(accepted(1))
    // Another quote of the same maker is.
    expect(await sendOther(it.hub)).toMatchObject({ ok: false })
  })

  test('error: whether another instance has accepted it cannot be read: it is not known', async () => {
    it.chain.verdict = 'refused'
    it.store.findAuctionEntry = () => Promise.reject(new StorageUnavailableError('no answer'))
    expect(await send(it.hub, auction, 1)).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(1) }))
    expect(it.logs.at(-1)).toMatchObject({ level: 'warn', message: 'the rows of an auction could not be read' })
  })

  test('behavior: a refusal is one also when the rows of its auction are gone', async () => {
    it.chain.verdict = 'refused'
    it.store.findAuctionEntry = async () => null
    expect(await send(it.hub, auction, 1)).toMatchObject(refused({ code: 'NONCE_MISMATCH' }))
  })

  test('behavior: what is not known is said without another poll, which would not make it known', async () => {
    it.store.acceptQuote = () => Promise.reject(new OutcomeUnknownError('The writer has ended.'))
    const looks = count(it.store, 'findAuctionEntry')
    const answer = send(it.hub, auction, 1)
    await settle()
    it.clock.advance(5_000)
    expect(await answerOf(answer)).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(1) }))
    expect(looks()).toBe(0)
  })
})

describe('an auction that does not run here', () => {
  test('default: it is taken up', async () => {
    expect(await send(peer, auction, 1)).toEqual(accepted(1))
    expect(peer.count().open).toBe(1)
  })

  test('error: there is none', async () => {
    const rfqId = publicRfqId(auction.rfq.rfqId).replaceAll(/[0-9]/g, '0') as ReturnType<typeof publicRfqId>
    expect(await send(it.hub, auction, 1, rfqId)).toEqual(refused({ code: 'RFQ_NOT_FOUND', rfqId }))
    const secret = auction.rfq.rfqId as unknown as typeof rfqId
    expect(await send(it.hub, auction, 1, secret)).toMatchObject(refused({ code: 'RFQ_NOT_FOUND' }))
  })

  test('behavior: a quote that is in its rows is acknowledged, also after the close, and the auction is not taken up', async () => {
    it.clock.advance(7)
    await send(it.hub, auction, 1)
    expect(await send(peer, auction, 1)).toEqual(accepted(1, openedAt + 7))
    expect(peer.count().open).toBe(0)
    await close()
    expect(await send(peer, auction, 1)).toEqual(accepted(1, openedAt + 7))
  })

  test('behavior: a quote that is in the rows of a shared database is acknowledged once a later write is', async () => {
    const shared = it.startPeer('own', { isShared: true })
    await send(it.hub, auction, 1)
    const probes = count(it.store, 'probe')
    expect(await send(shared, auction, 1)).toEqual(accepted(1))
    expect(probes()).toBe(1)
    it.store.probe = () => Promise.reject(new OutcomeUnknownError('The server has stopped to wait for its standby.'))
    expect(await send(shared, auction, 1)).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(1) }))
    // The only process of a database has waited for the disk itself.
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

  test('error: the instance stops while the row is read: another one may take it', async () => {
    const release = hold(it.store, 'findAuction')
    const answer = send(peer, auction, 1)
    await settle()
    peer.stop()
    const looks = count(it.store, 'findAuctionEntry')
    await close()
    release()
    expect(await answerOf(answer)).toEqual(refused({ code: 'OVERLOADED' }))
    expect(looks()).toBe(0)
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

  test('behavior: a refusal of the auction that was taken up is one, unless its row says otherwise', async () => {
    it.chain.verdict = 'refused'
    expect(await send(peer, auction, 1)).toMatchObject(refused({ code: 'NONCE_MISMATCH' }))
  })
})

test('behavior: that a backer declines is logged for an auction that runs here', async () => {
  const decline = { backer: maker, rfqId: publicRfqId(auction.rfq.rfqId), reason: 'CAPACITY' }
  it.hub.decline(decline)
  expect(it.logs.at(-1)).toMatchObject({ level: 'debug', facts: { backer: maker, reason: 'CAPACITY' } })
  const logged = it.logs.length
  peer.decline(decline)
  expect(it.logs).toHaveLength(logged)
})
