import { ChainUnavailableError, type RFQRequest } from '@firmquote/core'
import { hashTakerAuth } from '@firmquote/core/protocol'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  answerOf,
  auctionDurationMs,
  count,
  follow,
  type HubFixture,
  hold,
  opened,
  openingOf,
  request,
  send,
  settle,
  startHub,
} from '../../../test/startHub.ts'
import { hashOf, maker, newAuctionQuote, openedAt, other, poolId, seriesKey } from '../../../test/storedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import { OutcomeUnknownError, OverloadedError, StorageUnavailableError } from '../../ports/errors.ts'
import type { AuctionHub } from '../service.ts'
import { openingMs } from './auctionOpener.ts'

let it: HubFixture
beforeEach(async () => {
  it = await startHub()
})
afterEach(() => it.close())

async function restart(limits: Parameters<typeof startHub>[0]) {
  await it.close()
  it = await startHub(limits)
}

const keyed = { address: 'one', key: 'kJ9-2_mQx7vTzLwAb4cD8e' }
const failing = (error: Error) => () => Promise.reject(error)
const full = () => failing(new StorageUnavailableError('The disk is full.'))
const close = async () => {
  it.clock.advance(auctionDurationMs)
  await settle()
}

describe('the auction of a request', () => {
  const rfq = { poolId, seriesKey, expiry: openedAt / 1_000 + 86_400, notional: 1_000n }

  test('default', async () => {
    for (const address of [maker, other, other]) it.hub.join({ address, send() {} })
    // Rows store whole milliseconds.
    it.clock.jump(0.75)
    const auction = await opened(it.hub)
    const { rfqId } = auction.rfq
    expect(auction).toMatchObject({ backers: 2 })
    expect(rfqId).toBe('01'.repeat(16))
    const closesAt = openedAt + auctionDurationMs
    const bounds = { minNotional: 100n, minDeadline: BigInt(closesAt) / 1_000n + 20n, takerVerified: false }
    expect(auction.rfq).toStrictEqual({ ...rfq, ...bounds, rfqId, openedAt, closesAt })
    const row = await it.store.findAuction({ publicRfqId: publicRfqId(rfqId) })
    expect(row).toEqual({ rfq: auction.rfq, publicRfqId: publicRfqId(rfqId), backers: 2, quotes: [], close: null })
  })

  test('behavior: it includes the maximum cost of a quote, even zero, and the taker', async () => {
    const wanted = { maxVrtAmount: 0n, taker: other }
    expect((await opened(it.hub, wanted)).rfq).toMatchObject(wanted)
  })

  test('behavior: neither its key, its secret id nor a signature is logged', async () => {
    const auction = await opened(it.hub, {}, keyed)
    const { rfq } = auction
    expect((await send(it.hub, auction, 1)).ok).toBe(true)
    await close()
    const logged = JSON.stringify(it.logs, (_, part) => (typeof part === 'bigint' ? `${part}` : part))
    expect(logged).toContain(publicRfqId(rfq.rfqId))
    for (const secret of [keyed.key, rfq.rfqId, newAuctionQuote(1).quote.signature])
      expect(logged).not.toContain(secret)
  })

  test('behavior: one of several pools; before the first synced block the clock alone decides expiry', async () => {
    const [pool] = await it.store.listPools()
    it.store.listPools = async () => [
      { ...pool, poolId: hashOf(1) } as NonNullable<typeof pool>,
      ...(pool ? [pool] : []),
    ]
    const status = it.sync.status()
    it.sync.status = () => ({ ...status, synced: null })
    expect(await openingOf(it.hub)).toBe('opened')
  })
})

describe('a request that is refused', () => {
  test('error: an unwritable store is not called', async () => {
    const asked = count(it.store, 'openAuction')
    it.storage.isWritable = () => false
    expect(await openingOf(it.hub)).toBe('STORAGE_UNAVAILABLE')
    expect(asked()).toBe(0)
  })

  test('error: the row cannot be written', async () => {
    await restart({ limits: { openRfqs: 1 } })
    const { openAuction } = it.store
    it.store.openAuction = full()
    expect(await openingOf(it.hub)).toBe('STORAGE_UNAVAILABLE')
    expect(it.logs).toMatchObject([{ level: 'warn', message: 'failed to open an auction' }])
    it.store.openAuction = failing(new TypeError('a bug'))
    expect(await openingOf(it.hub)).toEqual({ error: 'TypeError' })
    expect(it.logs).toHaveLength(1)
    // Neither occupies a slot.
    it.store.openAuction = openAuction
    expect(await openingOf(it.hub)).toBe('opened')
  })

  const halted = { code: 'MARKET_HALTED', scope: 'series', since: 1, message: 'Paused.' } as const

  test('error: a halted market, whether the series is in the request or found for it, and an open auction goes on', async () => {
    const auction = await opened(it.hub, {}, keyed)
    it.halts.rfqRejection = (market) => (market.seriesKey === seriesKey ? halted : null)
    const expiry = openedAt / 1_000 + 1
    for (const asked of [{ seriesKey }, { seriesKey: undefined, expiry }]) {
      const answer = await it.hub.open({ ...request, ...asked } as RFQRequest, { address: 'one' })
      expect(answer).toEqual({ ok: false, rejection: halted })
    }
    expect((await send(it.hub, auction, 1)).ok).toBe(true)
    expect((await opened(it.hub, {}, keyed)).rfq).toEqual(auction.rfq)
    await close()
    expect(await auction.result()).toMatchObject({ quotes: [{ hash: hashOf(1) }] })
  })

  test('error: a market that is halted while its request is checked', async () => {
    const { listSeries } = it.store
    it.store.listSeries = async (poolId) => {
      it.halts.rfqRejection = () => halted
      return listSeries(poolId)
    }
    expect(await openingOf(it.hub)).toBe('MARKET_HALTED')
    expect(it.hub.count().open).toBe(0)
  })

  test('behavior: sixteen refusals of a halted market leave the quota unchanged', async () => {
    await restart({ limits: { rfqsPerMinute: 1, openRfqs: 1 } })
    let asked = 0
    // Also a halt that begins once the request has been admitted.
    it.halts.rfqRejection = () => {
      asked += 1
      return asked % 3 === 1 ? null : halted
    }
    for (let attempt = 0; attempt < 16; attempt += 1) expect(await openingOf(it.hub)).toBe('MARKET_HALTED')
    it.halts.rfqRejection = () => null
    expect([await openingOf(it.hub), await openingOf(it.hub)]).toEqual(['opened', expect.any(String)])
  })

  test('behavior: sixteen failures of the service leave the quota unchanged, and the quota still holds', async () => {
    await restart({ limits: { rfqsPerMinute: 2 } })
    const { openAuction, listPools } = it.store
    const { status } = it.sync
    const { readCapacities } = it.deps.chain
    const outages: [unknown, () => void][] = [
      ['STORAGE_UNAVAILABLE', () => (it.store.openAuction = full())],
      ['STORAGE_UNAVAILABLE', () => (it.store.listPools = full())],
      ['CHAIN_UNAVAILABLE', () => (it.sync.status = () => ({ ...status(), failing: true }))],
      ['CHAIN_UNAVAILABLE', () => (it.deps.chain.readCapacities = failing(new ChainUnavailableError('no answer')))],
      ['OVERLOADED', () => (it.store.openAuction = failing(new OverloadedError()))],
    ]
    for (const [code, fail] of outages) {
      fail()
      for (let attempt = 0; attempt < 16; attempt += 1) {
        const answer = await openingOf(it.hub)
        expect(code === 'OVERLOADED' ? answer : [code, answer]).toEqual(
          code === 'OVERLOADED' ? { error: 'OverloadedError' } : [code, code],
        )
      }
      Object.assign(it.store, { openAuction, listPools })
      it.sync.status = status
      it.deps.chain.readCapacities = readCapacities
    }
    expect([await openingOf(it.hub), await openingOf(it.hub), await openingOf(it.hub)]).toEqual([
      'opened',
      'opened',
      'RATE_LIMITED',
    ])
  })

  test('error: refusals for the request itself and auctions that may be open count', async () => {
    for (const [code, fail] of [
      ['SERIES_NOT_FOUND', () => {}],
      ['STORAGE_UNAVAILABLE', () => (it.store.openAuction = failing(new OutcomeUnknownError('The writer has ended.')))],
    ] as const) {
      await restart({ limits: { rfqsPerMinute: 1 } })
      fail()
      expect(await openingOf(it.hub, code === 'SERIES_NOT_FOUND' ? { seriesKey: hashOf(9) } : {})).toBe(code)
      expect(await openingOf(it.hub)).toBe('RATE_LIMITED')
    }
  })

  test('behavior: a refused request occupies no slot', async () => {
    await restart({ limits: { openRfqs: 1 } })
    expect(await openingOf(it.hub, { seriesKey: hashOf(9) })).toBe('SERIES_NOT_FOUND')
    expect(await openingOf(it.hub)).toBe('opened')
  })

  test('behavior: the limit holds for simultaneous requests; the close frees a slot', async () => {
    await restart({ limits: { openRfqs: 2 } })
    const answers = await Promise.all([1, 2, 3].map(() => openingOf(it.hub)))
    expect(answers).toEqual(['opened', 'opened', 'TOO_MANY_OPEN'])
    expect(await openingOf(it.hub, {}, { address: 'two' })).toBe('opened')
    await close()
    expect(await openingOf(it.hub)).toBe('opened')
  })

  test('error: too many are open in total, until one closes', async () => {
    // Half of the slots for open auctions are reserved for verified takers.
    await restart({ limits: { openAuctions: 4 } })
    const open = (address: string) => openingOf(it.hub, {}, { address })
    expect(await Promise.all(['one', 'two', 'three'].map(open))).toEqual(['opened', 'opened', 'OVERLOADED'])
    await close()
    expect(await Promise.all(['one', 'two', 'three'].map(open))).toEqual(['opened', 'opened', 'OVERLOADED'])
  })

  test('behavior: an auction without followers or requests for 5 seconds is abandoned: it continues, and its slot is free', async () => {
    await restart({ limits: { openAuctions: 2 } })
    const auction = await opened(it.hub)
    const { leave } = follow(auction)
    it.clock.advance(6_000)
    leave()
    it.clock.advance(3_000)
    // A borrower who queries the auction has not abandoned it.
    await it.hub.find(auction.rfq.rfqId)
    it.clock.advance(4_999)
    expect(await openingOf(it.hub, {}, { address: 'two' })).toBe('OVERLOADED')
    it.clock.advance(1)
    expect(await openingOf(it.hub, {}, { address: 'two' })).toBe('opened')
    expect((await send(it.hub, auction, 1)).ok).toBe(true)
    it.clock.advance(1_000)
    expect(await auction.result()).toMatchObject({ status: 'closed', quotes: [{}] })
    // The second auction is abandoned 5 seconds after it opens.
    it.clock.advance(3_999)
    expect(await openingOf(it.hub, {}, { address: 'three' })).toBe('OVERLOADED')
    it.clock.advance(1)
    expect(await openingOf(it.hub, {}, { address: 'three' })).toBe('opened')
  })

  test('error: opening takes so long that the slot would expire before the auction', async () => {
    for (const [waitedMs, became] of [
      [openingMs, 'opened'],
      [openingMs + 1, 'OVERLOADED'],
    ] as const) {
      const release = hold(it.store, 'listPools')
      const answer = it.hub.open({ poolId, seriesKey, notional: 1_000n }, { address: 'one' })
      await settle()
      it.clock.advance(waitedMs)
      release()
      const outcome = await answer
      expect(outcome.ok ? 'opened' : outcome.rejection.code).toBe(became)
    }
  })

  test('error: the instance drains, before or during the request', async () => {
    const release = hold(it.store, 'listPools')
    const asked = count(it.store, 'openAuction')
    const answer = it.hub.open({ poolId, seriesKey, notional: 1n }, { address: 'one' })
    void it.hub.drain()
    release()
    expect(await answerOf(answer)).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
    const lookedFor = count(it.store, 'listPools')
    expect(await openingOf(it.hub)).toBe('OVERLOADED')
    expect([asked(), lookedFor()]).toEqual([0, 0])
  })

  test('error: the instance stops while the row is written', async () => {
    const release = hold(it.store, 'openAuction', 'answered')
    const answer = it.hub.open({ poolId, seriesKey, notional: 1n }, { address: 'one' })
    await settle()
    it.hub.stop()
    release()
    expect(await answerOf(answer)).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
    // The next start resumes the auction.
    expect(it.clock.pending()).toBe(0)
    expect(await it.store.listOpenAuctions()).toHaveLength(1)
  })
})

describe('a key', () => {
  test('default: the same auction again, without using a slot or the rate limit', async () => {
    await restart({ limits: { openRfqs: 1, rfqsPerMinute: 1 } })
    const { rfq } = await opened(it.hub, {}, keyed)
    expect((await opened(it.hub, {}, keyed)).rfq).toEqual(rfq)
    await close()
    const again = await opened(it.hub, {}, keyed)
    expect(await again.result()).toMatchObject({ rfqId: rfq.rfqId, status: 'closed' })
    expect(await openingOf(it.hub)).toBe('RATE_LIMITED')
  })

  test('behavior: simultaneous requests with it are one request', async () => {
    const [looks, written] = [count(it.store, 'findAuctionByKey'), count(it.store, 'openAuction')]
    const [a, b] = await Promise.all([opened(it.hub, {}, keyed), opened(it.hub, {}, keyed)])
    expect(b.rfq).toEqual(a.rfq)
    expect([looks(), written()]).toEqual([1, 1])
  })

  test('error: another request with it, simultaneous or later', async () => {
    const both = [openingOf(it.hub, {}, keyed), openingOf(it.hub, { notional: 2n }, keyed)]
    expect(await Promise.all(both)).toEqual(['opened', 'IDEMPOTENCY_KEY_REUSED'])
    expect(await openingOf(it.hub, { notional: 2n }, keyed)).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(it.hub.count().open).toBe(1)
  })

  test('behavior: after a failed request, the next one in the queue may use the key', async () => {
    const { openAuction } = it.store
    it.store.openAuction = () => {
      it.store.openAuction = openAuction
      return Promise.reject(new TypeError('a bug'))
    }
    const first = openingOf(it.hub, {}, keyed)
    const second = it.hub.open({ poolId, seriesKey, notional: 2n }, keyed)
    expect(await first).toEqual({ error: 'TypeError' })
    expect(await answerOf(second)).toMatchObject({ ok: true, value: { rfq: { notional: 2n } } })
  })

  test('behavior: a refusal is not reused for the next request with the same key', async () => {
    const { openAuction } = it.store
    it.store.openAuction = full()
    expect(await openingOf(it.hub, {}, keyed)).toBe('STORAGE_UNAVAILABLE')
    it.store.openAuction = openAuction
    expect(await openingOf(it.hub, {}, keyed)).toBe('opened')
  })

  test('behavior: it finds a row whose write had an unknown outcome and whose auction the next poll joined', async () => {
    await it.hub.resume()
    const { openAuction } = it.store
    it.store.openAuction = async (auction) => {
      await openAuction(auction)
      throw new OutcomeUnknownError('The writer has ended.')
    }
    expect(await openingOf(it.hub, {}, keyed)).toBe('STORAGE_UNAVAILABLE')
    it.store.openAuction = openAuction
    it.clock.advance(1_000)
    await settle()
    const auction = await opened(it.hub, {}, keyed)
    expect(it.hub.count().open).toBe(1)
    expect((await send(it.hub, auction, 1)).ok).toBe(true)
  })

  test('behavior: it identifies its auction for a day', async () => {
    const { rfq } = await opened(it.hub, {}, keyed)
    await close()
    it.clock.jump(86_400_000 - auctionDurationMs)
    // The series has expired by now, so a repeated request must not look it up.
    expect((await opened(it.hub, {}, keyed)).rfq).toEqual(rfq)
    it.clock.jump(1)
    expect(await openingOf(it.hub, {}, keyed)).toBe('SERIES_EXPIRED')
  })

  test('behavior: another instance has since opened it: returns that auction without using a slot here', async () => {
    await restart({ limits: { openRfqs: 1 } })
    const peer = it.startPeer('own')
    const [a, b] = await Promise.all([opened(it.hub, {}, keyed), opened(peer, {}, keyed)])
    expect(b.rfq).toEqual(a.rfq)
    expect(await it.store.listOpenAuctions()).toHaveLength(1)
    expect(await Promise.all([openingOf(it.hub), openingOf(peer)])).toEqual(
      expect.arrayContaining(['opened', 'TOO_MANY_OPEN']),
    )
  })

  const limitOfOne = {
    TOO_MANY_OPEN: { openRfqs: 1 },
    RATE_LIMITED: { rfqsPerMinute: 1 },
    OVERLOADED: { openAuctions: 2 },
  }
  for (const [code, limits] of Object.entries(limitOfOne)) {
    test(`behavior: another instance is opening it: ${code} is looked into once more`, async () => {
      await restart({ limits })
      const peer = it.startPeer('own', { isShared: true, quotas: it.deps.quotas })
      const go = hold(it.store, 'openAuction')
      const ask = (hub: AuctionHub, key: string) => hub.open({ poolId, seriesKey, notional: 1_000n }, { ...keyed, key })
      const first = ask(it.hub, keyed.key)
      await settle()
      const second = ask(peer, keyed.key)
      await settle()
      go()
      await settle()
      it.clock.advance(500)
      const [one, two] = [await first, await second]
      expect(one.ok && two.ok && [two.value.rfq]).toEqual([one.ok && one.value.rfq])
      // No instance opened this auction, so the response contains the reason for the refusal. A request without a key
      // does not wait.
      const third = ask(peer, 'pL3-8_aHd0qRzNcVe1sB5u')
      await settle()
      it.clock.advance(500)
      expect(await third).toMatchObject({ ok: false, rejection: { code } })
      expect(await openingOf(peer)).toBe(code)
    })
  }

  test('error: another instance has since opened a different request with the key', async () => {
    const peer = it.startPeer('own')
    const answers = await Promise.all([openingOf(it.hub, {}, keyed), openingOf(peer, { notional: 2n }, keyed)])
    expect(answers.sort()).toEqual(['IDEMPOTENCY_KEY_REUSED', 'opened'])
  })

  test('error: its auction cannot be found', async () => {
    await opened(it.hub, {}, keyed)
    const peer = it.startPeer('own')
    it.store.findAuction = async () => null
    expect(await openingOf(peer, {}, keyed)).toBe('STORAGE_UNAVAILABLE')
  })
})

describe('a request with a proof of taker', () => {
  const timestamp = openedAt / 1_000
  const proof = { taker: other, takerProof: { timestamp, signature: `0x${'ab'.repeat(65)}` } } as const
  const audience = 'https://rfq.example.com'
  const verifiedOf = async (change: object, requester: object = {}) =>
    (await opened(it.hub, { ...proof, ...change }, { address: 'one', audience, ...requester })).rfq.takerVerified

  test('default: verified up to the debt not reserved by open auctions', async () => {
    expect(await verifiedOf({ notional: 1_001n })).toBe(false)
    expect(await verifiedOf({ notional: 600n })).toBe(true)
    expect(await verifiedOf({ notional: 401n })).toBe(false)
    expect(await verifiedOf({ notional: 400n })).toBe(true)
    await close()
    expect(await verifiedOf({ notional: 1_000n })).toBe(true)
  })

  test('behavior: reservations from a previous process survive a restart', async () => {
    expect(await verifiedOf({ notional: 1_000n })).toBe(true)
    const next = it.startPeer('own')
    await next.resume()
    const again = await opened(next, { ...proof, notional: 1n }, { address: 'one', audience })
    expect(again.rfq.takerVerified).toBe(false)
  })

  test("behavior: it is checked against the service's origin; without one it is invalid", async () => {
    await verifiedOf({})
    await opened(it.hub, proof, { address: 'one' })
    const auth = { ...it.deps.domain, taker: other, timestamp }
    expect(it.chain.proofs).toEqual([audience, ''].map((origin) => hashTakerAuth({ ...auth, audience: origin })))
  })

  test('behavior: without one the chain is not read, and the address counts', async () => {
    await restart({ limits: { openRfqs: 1 } })
    expect(await verifiedOf({ notional: 500n })).toBe(true)
    expect(await openingOf(it.hub, { taker: other })).toBe('opened')
    expect(it.chain.proofs).toHaveLength(1)
    expect(await openingOf(it.hub, { taker: other })).toBe('TOO_MANY_OPEN')
    expect(await openingOf(it.hub, { ...proof, notional: 500n }, { address: 'two', audience })).toBe('TOO_MANY_OPEN')
    // The RFQ is unverified, so it counts towards its address's limit.
    expect(await openingOf(it.hub, { ...proof, notional: 501n }, { address: 'two', audience })).toBe('opened')
  })

  test('behavior: half of the slots are reserved for verified requests', async () => {
    await restart({ limits: { openAuctions: 2 } })
    expect(await openingOf(it.hub)).toBe('opened')
    expect(await openingOf(it.hub)).toBe('OVERLOADED')
    expect(await verifiedOf({})).toBe(true)
  })

  test('error: an invalid one is refused; at most five are checked per permitted RFQ and minute', async () => {
    await restart({ limits: { rfqsPerMinute: 2 } })
    it.chain.verdict = 'refused'
    const wrong = () => openingOf(it.hub, proof, { address: 'one', audience })
    for (let tried = 0; tried < 10; tried += 1) expect(await wrong()).toBe('TAKER_PROOF_INVALID')
    expect(await wrong()).toBe('RATE_LIMITED')
    expect(it.chain.proofs).toHaveLength(10)
  })
})

describe('the size of a request', () => {
  test('error: the minimum notional exceeds the notional', async () => {
    const asked = it.hub.open({ poolId, seriesKey, notional: 10n, minNotional: 11n }, { address: 'one' })
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'minNotional' })
    await expect(asked).rejects.toThrow('must not be above notional.')
    expect((await opened(it.hub, { notional: 10n, minNotional: 10n })).rfq.minNotional).toBe(10n)
  })

  test('error: below the minimum of the series it is refused and occupies no slot', async () => {
    await restart({ limits: { dustDivisor: 1_000, openRfqs: 1 } })
    expect(await openingOf(it.hub, { notional: 999n })).toBe('NOTIONAL_TOO_SMALL')
    expect(await openingOf(it.hub, { notional: 1_000n })).toBe('opened')
  })
})
