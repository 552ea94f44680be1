// Auctions from the opening to the close, on one chain. The file is long because all of them share one setup.

import {
  hashQuote,
  type PublicRfqId,
  type RFQRequest,
  type RFQStreamEvent,
  toPublicRfqId,
  toRfqId,
} from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { zeroAddress, zeroHash } from 'viem'
import { type RealService, recordingSession, signedQuote, startRealService } from '../../../test/realService.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import { createChainDriver } from '../../../test/syncBench.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import type { FollowedAuction } from '../service.ts'
import type { ServiceLimits } from '../serviceDeps.ts'

let devnet: Devnet
let service: RealService
let request: RFQRequest

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  service = await startRealService(devnet)
  request = { poolId: devnet.pools[0].poolId, seriesKey: seriesOf(1).seriesKey, notional: 1_000_000_000n }
})
afterEach(() => service.close())

function seriesOf(index: number) {
  const series = devnet.pools[0].series[index]
  if (!series) throw new RangeError(`there is no series ${index}`)
  return series
}

async function open(change: Partial<RFQRequest> = {}, address = 'one'): Promise<FollowedAuction> {
  const outcome = await service.hub.open({ ...request, ...change } as RFQRequest, { address })
  if (!outcome.ok) throw new TypeError(`refused: ${outcome.rejection.code}`)
  return outcome.value
}

async function refusal(change: Record<string, unknown>, address = 'one'): Promise<unknown> {
  const outcome = await service.hub.open({ ...request, ...change } as RFQRequest, { address })
  return outcome.ok ? 'opened' : outcome.rejection
}

async function submit(auction: FollowedAuction, index: 0 | 1 | 2, changes: Parameters<typeof signedQuote>[2] = {}) {
  const backer = devnet.backers[index]
  const quote = await signedQuote(devnet, backer, changes)
  const verdict = service.hub.submit({ backer: backer.address, rfqId: publicRfqId(auction.rfq.rfqId), quote })
  return { quote, verdict: await verdict, hash: hashQuote(quote, domainOf(devnet)) }
}

/** Collects what a follower of an auction is told. */
function follow(auction: FollowedAuction, events: RFQStreamEvent[] = [], after?: number): RFQStreamEvent[] {
  auction.listen({ event: (event) => events.push(event), end: () => {} }, after)
  return events
}

/** Resolves in the next turn of the event loop, when the bus has delivered what was published. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

async function restart(limits: Partial<ServiceLimits>) {
  await service.close()
  service = await startRealService(devnet, { limits })
}

describe('an auction', () => {
  test('default', async () => {
    const backers = devnet.backers.map(({ address }) => recordingSession(address))
    for (const { session } of backers) service.hub.join(session)
    const auction = await open({ maxVrtAmount: 50_000_000n })
    const events: RFQStreamEvent[] = []
    follow(auction, events)

    expect(auction.backers).toBe(3)
    expect(auction.rfq).toMatchObject({ ...request, maxVrtAmount: 50_000_000n, expiry: seriesOf(1).expiry })
    expect(auction.rfq.closesAt - auction.rfq.openedAt).toBe(15_000)
    const publicId = publicRfqId(auction.rfq.rfqId)
    for (const { next } of backers) {
      expect(await next('rfq')).toEqual({
        type: 'rfq',
        rfqId: publicId,
        poolId: request.poolId,
        seriesKey: request.seriesKey,
        expiry: seriesOf(1).expiry,
        notional: '1000000000',
        minNotional: '100000000',
        minDeadline: String(Math.ceil(auction.rfq.closesAt / 1_000) + 60),
        maxVrtAmount: '50000000',
        takerVerified: false,
        openedAt: auction.rfq.openedAt,
        closesAt: auction.rfq.closesAt,
      })
    }

    service.clock.advance(2_000)
    const dear = await submit(auction, 0, { vrtAmount: 9_000_000n })
    service.clock.advance(1_000)
    const cheap = await submit(auction, 1, { vrtAmount: 4_000_000n })
    expect(dear.verdict).toEqual({
      ok: true,
      value: { hash: dear.hash, receivedAt: auction.rfq.openedAt + 2_000, closesAt: auction.rfq.closesAt },
    })
    expect(cheap.verdict.ok).toBe(true)

    service.clock.advance(12_000)
    const result = await auction.result()
    expect(result).toMatchObject({ status: 'closed', backers: 3, rejectedCount: 0, closedAt: auction.rfq.closesAt })
    expect(result.quotes).toMatchObject([
      { hash: cheap.hash, quote: cheap.quote, receivedAt: auction.rfq.openedAt + 3_000 },
      { hash: dear.hash, quote: dear.quote },
    ])
    expect(events.map(({ type }) => type)).toEqual(['started', 'quote', 'quote', 'done'])
    expect(events.at(-1)?.data).toMatchObject({ quoteCount: 2, ranking: [cheap.hash, dear.hash] })
    expect(events.map(({ id }) => id)).toEqual([0, 1, 2, 3].map((n) => `${auction.rfq.rfqId}:${n}`))

    const close = { type: 'auction_result', rfqId: publicId, closedAt: result.closedAt, quoteCount: 2 }
    expect(await backers[0]?.next('auction_result')).toEqual({ ...close, own: { hash: dear.hash }, outcome: 'close' })
    expect(await backers[1]?.next('auction_result')).toEqual({ ...close, own: { hash: cheap.hash }, outcome: 'best' })
    expect(await backers[2]?.next('auction_result')).toEqual(close)
    expect(service.hub.count()).toEqual({ open: 0, backers: 3 })
  })

  test('behavior: closes after 15 seconds of the monotonic clock, however the wall clock jumps', async () => {
    for (const jump of [-86_400_000, 86_400_000]) {
      const auction = await open()
      const events = follow(auction)
      service.clock.jump(jump)
      service.clock.advance(14_999)
      await settle()
      expect(events.at(-1)?.type).toBe('started')
      service.clock.advance(1)
      const result = await auction.result()
      expect(events.at(-1)?.type).toBe('done')
      expect((result.closedAt ?? 0) - result.openedAt).toBe(15_000)
      service.clock.jump(-jump)
    }
  })

  test('behavior: its result can be read while it is open and afterwards, by the borrower alone', async () => {
    const auction = await open()
    const { rfqId } = auction.rfq
    await submit(auction, 0)
    expect(await service.hub.find(rfqId)).toMatchObject({ status: 'open', closedAt: null, quotes: [{}] })
    service.clock.advance(15_000)
    const result = await auction.result()
    expect(await service.hub.find(rfqId)).toEqual(result)
    // What was best is chosen once, however many read it.
    expect((await service.hub.find(rfqId))?.best).toBe(result?.best)
    expect(await (await service.hub.follow(rfqId))?.result()).toEqual(result)
    // @ts-expect-error The public id is not the secret one.
    expect(await service.hub.find(publicRfqId(rfqId))).toBeNull()
    expect(await service.hub.find(toRfqId('00'.repeat(16)))).toBeNull()
  })

  test('behavior: a listener gets past events first, and none after it has unsubscribed', async () => {
    const auction = await open()
    await submit(auction, 0)
    const left: RFQStreamEvent[] = []
    auction.listen({ event: (event) => left.push(event), end: () => {} })()
    service.clock.advance(15_000)
    await auction.result()
    expect(left.map(({ type }) => type)).toEqual(['started', 'quote'])
    expect(follow(auction).map(({ type }) => type)).toEqual(['started', 'quote', 'done'])
    expect(follow(auction, [], 0).map(({ type }) => type)).toEqual(['quote', 'done'])
    expect(follow(auction, [], 2)).toEqual([])
  })

  test('behavior: neither its secret id nor a signature is logged', async () => {
    const auction = await open()
    const { quote } = await submit(auction, 0)
    service.clock.advance(15_000)
    await auction.result()
    const written = JSON.stringify(service.logs)
    expect(written).toContain(publicRfqId(auction.rfq.rfqId))
    expect(written).not.toContain(auction.rfq.rfqId)
    expect(written).not.toContain(quote.signature)
  })
})

describe('open', () => {
  test('behavior: an expiry selects the series with exactly this expiry, else the nearest later one', async () => {
    const wanted = { seriesKey: undefined }
    const at = async (expiry: number) => (await open({ ...wanted, expiry } as never)).rfq.seriesKey
    expect(await at(seriesOf(2).expiry)).toBe(seriesOf(2).seriesKey)
    expect(await at(seriesOf(1).expiry + 1)).toBe(seriesOf(2).seriesKey)
    expect(await at(Math.floor(service.clock.now() / 1000) + 1)).toBe(seriesOf(0).seriesKey)
  })

  test('error: no series is late enough', async () => {
    const last = devnet.pools[0].series.at(-1)?.expiry ?? 0
    expect(await refusal({ seriesKey: undefined, expiry: last + 1 })).toEqual({
      code: 'SERIES_NOT_FOUND',
      poolId: request.poolId,
      seriesKey: null,
      available: devnet.pools[0].series.map(({ expiry }) => expiry),
    })
  })

  test('error: no such pool, no such series, a series of another pool', async () => {
    expect(await refusal({ poolId: zeroHash })).toEqual({ code: 'POOL_NOT_FOUND', poolId: zeroHash })
    expect(await refusal({ seriesKey: zeroHash })).toMatchObject({ code: 'SERIES_NOT_FOUND' })
    expect(await refusal({ seriesKey: devnet.pools[1].series[0]?.seriesKey })).toMatchObject({
      code: 'SERIES_NOT_FOUND',
    })
  })

  test('behavior: the least that a quote may be for is a tenth, what was asked for, or what the series takes', async () => {
    expect((await open({ notional: 2_000_000_000n })).rfq.minNotional).toBe(200_000_000n)
    expect((await open({ minNotional: 1_000_000_000n })).rfq.minNotional).toBe(1_000_000_000n)
    expect((await open({ minNotional: 1n })).rfq.minNotional).toBe(100_000_000n)
    await expect(refusal({ minNotional: 1_000_000_001n })).rejects.toMatchObject({ path: 'minNotional' })
  })

  test('error: a size that the series does not take', async () => {
    const capacity = 10_000_000_000_000n
    expect(await refusal({ notional: 99_999_999n })).toEqual({
      code: 'NOTIONAL_TOO_SMALL',
      notional: 99_999_999n,
      limit: 100_000_000n,
    })
    expect(await refusal({ notional: capacity * 10n })).toBe('opened')
    expect(await refusal({ notional: capacity * 10n + 10n })).toEqual({
      code: 'CAPACITY_EXCEEDED',
      notional: capacity + 1n,
      capacity,
    })
    expect(await refusal({ notional: capacity * 10n, minNotional: capacity + 1n })).toMatchObject({
      code: 'CAPACITY_EXCEEDED',
    })
  })

  test('behavior: what the series can take is read once, and only for a request that is not too small', async () => {
    service.node.calls.length = 0
    expect(await refusal({ notional: 1n })).toMatchObject({ code: 'NOTIONAL_TOO_SMALL' })
    expect(service.node.calls).toEqual([])
    await open()
    // The block and what is read there, at the same time.
    expect(service.node.calls).toHaveLength(2)
    service.node.interfere = () => ({ status: 503 })
    expect(await refusal({})).toEqual({ code: 'CHAIN_UNAVAILABLE' })
    service.node.interfere = () => undefined
  })

  test('error: the series has expired', async () => {
    service.clock.jump((seriesOf(1).expiry + 1) * 1000 - service.clock.now())
    expect(await refusal({})).toEqual({
      code: 'SERIES_EXPIRED',
      seriesKey: request.seriesKey,
      expiry: seriesOf(1).expiry,
    })
    const soon = Math.floor(service.clock.now() / 1000) + 1
    expect(await refusal({ seriesKey: undefined, expiry: soon })).toBe('opened')
    expect(await refusal({ seriesKey: undefined, expiry: soon - 1 })).toMatchObject({ code: 'SERIES_NOT_FOUND' })
  })

  test('error: the chain has not been synced yet', async () => {
    await service.close()
    service = await startRealService(devnet, { synced: false })
    expect(await refusal({})).toEqual({ code: 'CHAIN_UNAVAILABLE' })
    service.node.interfere = () => ({ status: 503 })
    await expect(service.sync.cycle()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(await refusal({})).toEqual({ code: 'CHAIN_UNAVAILABLE' })
    service.node.interfere = () => undefined
    await service.sync.cycle()
    expect(await refusal({})).toBe('opened')
  })

  test('behavior: a series of the newest block is found, and an unknown pool costs one request', async () => {
    const driver = createChainDriver(devnet)
    const snapshot = await driver.snapshot()
    const expiry = (devnet.pools[0].series.at(-1)?.expiry ?? 0) + 1
    await driver.createSeries(request.poolId, expiry)
    expect(await refusal({ seriesKey: undefined, expiry, notional: 10n ** 10n })).toBe('opened')
    const found = (await service.store.listSeries(request.poolId)).filter((series) => series.expiry === expiry)
    expect(found).toHaveLength(1)
    service.node.calls.length = 0
    expect(await refusal({ poolId: zeroHash })).toMatchObject({ code: 'POOL_NOT_FOUND' })
    expect(service.node.calls).toHaveLength(1)
    service.node.interfere = () => ({ status: 503 })
    expect(await refusal({ poolId: zeroHash })).toEqual({ code: 'CHAIN_UNAVAILABLE' })
    await driver.revert(snapshot)
  })

  test('error: one requester has too many open, until one of them closes', async () => {
    await restart({ openRfqs: 2 })
    const [first] = [await open(), await open()] as const
    expect(await refusal({})).toEqual({ code: 'TOO_MANY_OPEN', open: 2, limit: 2 })
    expect(await refusal({}, 'another')).toBe('opened')
    service.clock.advance(15_000)
    await first.result()
    expect(await refusal({})).toBe('opened')
  })

  test('behavior: simultaneous requests count before they open, and no longer when they are refused', async () => {
    await restart({ openRfqs: 1 })
    const outcomes = await Promise.all([refusal({}), refusal({}), refusal({})])
    expect(outcomes.filter((outcome) => outcome === 'opened')).toHaveLength(1)
    expect(await refusal({ poolId: zeroHash }, 'another')).toMatchObject({ code: 'POOL_NOT_FOUND' })
    expect(await refusal({}, 'another')).toBe('opened')
  })

  test('error: too many in a minute', async () => {
    await restart({ rfqsPerMinute: 2 })
    for (const _ of [1, 2]) expect(await refusal({})).toBe('opened')
    service.clock.advance(15_500)
    expect(await refusal({})).toEqual({ code: 'RATE_LIMITED', retryAfterSeconds: 45 })
  })

  test('behavior: an auction that nobody follows or asks for in 5 seconds is abandoned: it runs on, and its place is free', async () => {
    await restart({ openAuctions: 2 })
    const auction = await open()
    const leave = auction.listen({ event: () => {}, end: () => {} })
    service.clock.advance(6_000)
    leave()
    service.clock.advance(3_000)
    // A borrower who asks for it has not left it.
    await service.hub.find(auction.rfq.rfqId)
    service.clock.advance(4_999)
    expect(await refusal({}, 'two')).toEqual({ code: 'OVERLOADED' })
    service.clock.advance(1)
    expect(await refusal({}, 'two')).toBe('opened')
    expect(service.hub.count().open).toBe(2)
    expect((await submit(auction, 0)).verdict.ok).toBe(true)
    service.clock.advance(1_000)
    expect(await auction.result()).toMatchObject({ status: 'closed', quotes: [{}] })
    // Nobody follows the second one: it is abandoned 5 seconds after its opening.
    service.clock.advance(3_999)
    expect(await refusal({}, 'three')).toEqual({ code: 'OVERLOADED' })
    service.clock.advance(1)
    expect(await refusal({}, 'three')).toBe('opened')
  })

  test('error: too many open in all', async () => {
    await restart({ openAuctions: 1 })
    expect(await refusal({})).toBe('opened')
    expect(await refusal({}, 'another')).toEqual({ code: 'OVERLOADED' })
  })
})

describe('join', () => {
  test('behavior: a backer that joins later gets the open RFQs, each once', async () => {
    const auction = await open()
    const early = recordingSession(devnet.backers[0].address)
    expect(service.hub.join(early.session).openRfqs).toHaveLength(1)
    await settle()
    expect(early.frames).toEqual([])
    const { rfqId: _, ...terms } = auction.rfq
    const late = recordingSession(devnet.backers[1].address)
    expect(service.hub.join(late.session).openRfqs).toEqual([{ ...terms, rfqId: publicRfqId(auction.rfq.rfqId) }])
    service.clock.advance(15_000)
    await auction.result()
    await settle()
    expect(service.hub.join(recordingSession(zeroAddress).session).openRfqs).toEqual([])
  })

  test('behavior: every connection of a backer gets the messages, and the backer counts once', async () => {
    const [a, b] = [recordingSession(devnet.backers[0].address), recordingSession(devnet.backers[0].address)]
    const { leave } = service.hub.join(a.session)
    service.hub.join(b.session)
    const auction = await open()
    expect(auction.backers).toBe(1)
    expect(await a.next('rfq')).toEqual(await b.next('rfq'))
    leave()
    leave()
    expect(service.hub.count().backers).toBe(1)
    service.clock.advance(15_000)
    await auction.result()
    await b.next('auction_result')
    expect(a.frames).toEqual([])
  })
})

describe('submit', () => {
  test('error: an unknown RFQ, a closed one, and the borrower id, which is not accepted', async () => {
    const quote = await signedQuote(devnet, devnet.backers[0])
    const backer = devnet.backers[0].address
    const code = async (rfqId: PublicRfqId) => {
      const verdict = await service.hub.submit({ backer, rfqId, quote })
      return verdict.ok ? 'accepted' : verdict.rejection
    }
    expect(await code(toPublicRfqId('00'.repeat(16)))).toEqual({ code: 'RFQ_NOT_FOUND', rfqId: '00'.repeat(16) })
    const auction = await open()
    // @ts-expect-error The secret id is not the public one.
    expect(await code(auction.rfq.rfqId)).toMatchObject({ code: 'RFQ_NOT_FOUND' })
    service.clock.advance(15_000)
    await auction.result()
    expect(await code(publicRfqId(auction.rfq.rfqId))).toEqual({
      code: 'AUCTION_CLOSED',
      closedAt: auction.rfq.closesAt,
    })
  })

  test('behavior: one quote per backer, also of simultaneous ones; the same one again has the same answer', async () => {
    const auction = await open()
    const verdicts = await Promise.all([submit(auction, 0), submit(auction, 0), submit(auction, 0)])
    expect(verdicts.filter(({ verdict }) => verdict.ok)).toHaveLength(1)
    for (const { verdict } of verdicts)
      if (!verdict.ok) expect(verdict.rejection).toEqual({ code: 'ALREADY_QUOTED', hash: null })
    const accepted = verdicts.find(({ verdict }) => verdict.ok)
    expect((await submit(auction, 0)).verdict).toEqual({
      ok: false,
      rejection: { code: 'ALREADY_QUOTED', hash: accepted?.hash },
    })
    const again = { backer: devnet.backers[0].address, rfqId: publicRfqId(auction.rfq.rfqId) }
    const quote = accepted?.quote as NonNullable<typeof accepted>['quote']
    expect(await service.hub.submit({ ...again, quote })).toEqual(accepted?.verdict)
    service.clock.advance(15_000)
    await auction.result()
    expect(await service.hub.submit({ ...again, quote })).toEqual(accepted?.verdict)
  })

  test('behavior: a quote whose terms do not fit is rejected without a request to the node', async () => {
    const auction = await open()
    service.node.calls.length = 0
    expect((await submit(auction, 0, { notional: 1_000_000_001n })).verdict).toMatchObject({
      rejection: { code: 'NOTIONAL_TOO_LARGE' },
    })
    expect(service.node.calls).toEqual([])
  })

  test('behavior: many at once share their requests to the node', async () => {
    const auction = await open()
    const quotes = await Promise.all(devnet.backers.map((backer) => signedQuote(devnet, backer)))
    service.node.calls.length = 0
    const rfqId = publicRfqId(auction.rfq.rfqId)
    const verdicts = await Promise.all(quotes.map((quote) => service.hub.submit({ backer: quote.maker, rfqId, quote })))
    expect(verdicts.every(({ ok }) => ok)).toBe(true)
    // One for the block, one for the pool's token, one for all three.
    expect(service.node.calls.length).toBeLessThanOrEqual(3)
  })

  test('error: the chain cannot be read; nothing is stored and it is no attempt', async () => {
    const auction = await open()
    service.node.interfere = ({ method }) =>
      method === 'eth_call' ? { error: { code: -32000, message: 'no state' } } : undefined
    for (const _ of [1, 2, 3, 4]) {
      const { verdict, hash } = await submit(auction, 0)
      expect(verdict).toEqual({ ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } })
      expect(await service.store.findQuote(hash)).toBeNull()
    }
    service.node.interfere = () => undefined
    expect((await submit(auction, 0)).verdict.ok).toBe(true)
  })

  test('behavior: the close does not wait for verdicts; who waits is told AUCTION_CLOSED, and nothing is stored', async () => {
    const auction = await open()
    let release = () => {}
    const asked = new Promise<void>((resolve) => {
      service.node.interfere = ({ method }) => {
        if (method !== 'eth_call') return undefined
        resolve()
        return new Promise<undefined>((go) => {
          release = () => go(undefined)
        })
      }
    })
    const late = submit(auction, 0)
    await asked
    service.clock.advance(15_000)
    expect(await auction.result()).toMatchObject({ quotes: [], rejectedCount: 1 })
    const { verdict, hash } = await late
    expect(verdict).toEqual({ ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: auction.rfq.closesAt } })
    service.node.interfere = () => undefined
    release()
    await settle()
    expect(await service.store.findQuote(hash)).toBeNull()
  })

  test('error: too many are being judged', async () => {
    await restart({ runningJudgements: 1 })
    const auction = await open()
    const verdicts = await Promise.all([submit(auction, 0), submit(auction, 1)])
    const codes = verdicts.map(({ verdict }) => (verdict.ok ? 'accepted' : verdict.rejection.code))
    expect(codes.sort()).toEqual(['OVERLOADED', 'accepted'])
  })

  test('behavior: a decline changes nothing', async () => {
    const auction = await open()
    const rfqId = publicRfqId(auction.rfq.rfqId)
    service.hub.decline({ backer: devnet.backers[0].address, rfqId, reason: 'too small' })
    service.hub.decline({ backer: devnet.backers[0].address, rfqId: toPublicRfqId('00'.repeat(16)) })
    expect((await submit(auction, 0)).verdict.ok).toBe(true)
  })
})

describe('drain and stop', () => {
  test('default', async () => {
    const backer = recordingSession(devnet.backers[0].address)
    service.hub.join(backer.session)
    const auction = await open()
    const events = follow(auction)
    let isDrained = false
    const drained = service.hub.drain().then(() => {
      isDrained = true
    })
    // Open ones run to their end; new ones are refused.
    expect(await refusal({})).toEqual({ code: 'OVERLOADED' })
    expect((await submit(auction, 0)).verdict.ok).toBe(true)
    await settle()
    expect(isDrained).toBe(false)
    service.clock.advance(15_000)
    await drained
    expect(events.map(({ type }) => type)).toEqual(['started', 'quote', 'done'])
    expect(await backer.next('auction_result')).toMatchObject({ quoteCount: 1, outcome: 'best' })
    expect(service.hub.count().open).toBe(0)
    await service.hub.drain()
  })

  test('behavior: an auction that is being opened is refused', async () => {
    const opening = refusal({})
    await service.hub.drain()
    expect(await opening).toEqual({ code: 'OVERLOADED' })
    expect(service.hub.count().open).toBe(0)
  })

  test('behavior: what is open at the stop ends here, and is left to the next start', async () => {
    const auction = await open()
    const events: string[] = []
    auction.listen({ event: ({ type }) => events.push(type), end: () => events.push('end') })
    const result = auction.result()
    const rejected = expect(result).rejects.toMatchObject({ code: 'OVERLOADED' })
    service.hub.stop()
    await rejected
    expect(events).toEqual(['started', 'end'])
    service.storage.stop()
    expect(service.clock.pending()).toBe(0)
    expect(await service.store.findAuction({ rfqId: auction.rfq.rfqId })).toMatchObject({ close: null })
    await expect(auction.result()).rejects.toMatchObject({ code: 'OVERLOADED' })
    // It is not said to be over: its borrower and its backers come back.
    await expect(service.hub.follow(auction.rfq.rfqId)).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect((await submit(auction, 0)).verdict).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
  })

  test('behavior: quotes that have no answer at the stop are not known', async () => {
    const auction = await open()
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    service.node.interfere = ({ method }) => {
      if (method !== 'eth_call') return undefined
      asked()
      return new Promise<undefined>(() => {})
    }
    const waiting = submit(auction, 0)
    await isAsked
    service.hub.stop()
    const { verdict, hash } = await waiting
    expect(verdict).toEqual({ ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash } })
    service.node.interfere = () => undefined
  })

  test('behavior: endFollowing ends the streams, and the auction goes on', async () => {
    const auction = await open()
    const events: string[] = []
    auction.listen({ event: ({ type }) => events.push(type), end: () => events.push('end') })
    const rejected = expect(auction.result()).rejects.toMatchObject({ code: 'OVERLOADED' })
    service.hub.endFollowing()
    await rejected
    expect((await submit(auction, 0)).verdict.ok).toBe(true)
    expect(events).toEqual(['started', 'end'])
    const again = await service.hub.follow(auction.rfq.rfqId)
    expect(follow(again as FollowedAuction, [], 0).map(({ type }) => type)).toEqual(['quote'])
  })
})
