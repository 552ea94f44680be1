// Auctions on their rows: keys, several instances, restarts and stores that fail, on one chain.

import { randomBytes } from 'node:crypto'
import { hashQuote, type RFQRequest, type RFQStreamEvent, type SignedQuote, toRfqId } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createStoreFaults, type StoreFaults } from '../../../test/faultyStore.ts'
import { type RealService, recordingSession, signedQuote, startRealService } from '../../../test/realService.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import type { Store } from '../../ports/store.ts'
import { nextTurn } from '../../scheduling/turnTask.ts'
import type { FollowedAuction, Service } from '../service.ts'

let devnet: Devnet
let service: RealService
let faults: StoreFaults
let request: RFQRequest

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  await start()
  const [pool] = devnet.pools
  request = { poolId: pool.poolId, seriesKey: pool.series[1]?.seriesKey as `0x${string}`, notional: 1_000_000_000n }
})
afterEach(() => service.close())

async function start(options: Parameters<typeof startRealService>[1] = {}) {
  const created = createStoreFaults()
  faults = created.faults
  service = await startRealService(devnet, { withStore: created.withFaults, ...options })
}

/** Another instance on the same rows. */
async function startPeer(options: Parameters<RealService['startInstance']>[0] = {}): Promise<Service> {
  const peer = service.startInstance(options)
  await peer.sync.cycle()
  await peer.hub.resume()
  return peer
}

const newKey = () => randomBytes(16).toString('base64url')

async function open({ hub }: Service = service, key?: string, change: Partial<RFQRequest> = {}) {
  const requester = { address: 'one', ...(key !== undefined && { key }) }
  const outcome = await hub.open({ ...request, ...change } as RFQRequest, requester)
  if (!outcome.ok) throw new TypeError(`refused: ${outcome.rejection.code}`)
  return outcome.value
}

async function refusal({ hub }: Service = service, key?: string, change: Partial<RFQRequest> = {}) {
  const requester = { address: 'one', ...(key !== undefined && { key }) }
  const outcome = await hub.open({ ...request, ...change } as RFQRequest, requester)
  return outcome.ok ? 'opened' : outcome.rejection.code
}

const quoteOf = (index: 0 | 1 | 2, changes: Parameters<typeof signedQuote>[2] = {}) =>
  signedQuote(devnet, devnet.backers[index], changes)
const hashOf = (quote: SignedQuote) => hashQuote(quote, domainOf(devnet))
const send = ({ hub }: Service, { rfq }: FollowedAuction, quote: SignedQuote) =>
  hub.submit({ backer: quote.maker, rfqId: publicRfqId(rfq.rfqId), quote })
const codeOf = (verdict: Awaited<ReturnType<typeof send>>) => (verdict.ok ? 'accepted' : verdict.rejection.code)

/** What a follower of an auction is told, and whether its stream has ended. */
function follow(auction: FollowedAuction | null, after?: number) {
  const events: RFQStreamEvent[] = []
  const told = { events, isOver: false, ids: () => events.map(({ type, id }) => `${type} ${id.split(':')[1]}`) }
  auction?.listen(
    {
      event: (event) => events.push(event),
      end: () => {
        told.isOver = true
      },
    },
    after,
  )
  return told
}

/** Waits until something is as it shall be, which no clock decides. */
async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2))
}
const settle = async () => {
  for (let turns = 0; turns < 20; turns += 1) await nextTurn()
}

describe('a key', () => {
  test('default', async () => {
    const key = newKey()
    const [a, b] = await Promise.all([open(service, key), open(service, key)])
    expect(b.rfq).toEqual(a.rfq)
    expect((await open(service, key)).rfq).toEqual(a.rfq)
    expect(service.hub.count().open).toBe(1)
    expect((await open(service, newKey())).rfq.rfqId).not.toBe(a.rfq.rfqId)
    expect((await open()).rfq.rfqId).not.toBe((await open()).rfq.rfqId)
    service.clock.advance(15_000)
    const result = await a.result()
    const again = await open(service, key)
    expect(await again.result()).toEqual(result)
    expect(follow(again)).toMatchObject({ isOver: true, events: [{ type: 'started' }, { type: 'done' }] })
  })

  test('error: it belongs to another request, also at the same time', async () => {
    const key = newKey()
    const other = { notional: 2_000_000_000n }
    expect(await Promise.all([refusal(service, key), refusal(service, key, other)])).toEqual([
      'opened',
      'IDEMPOTENCY_KEY_REUSED',
    ])
    expect(await refusal(service, key, other)).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(service.hub.count().open).toBe(1)
  })

  test('behavior: a request that was answered before takes no place', async () => {
    await service.close()
    await start({ limits: { openRfqs: 1, rfqsPerMinute: 1 } })
    const key = newKey()
    const { rfq } = await open(service, key)
    expect((await open(service, key)).rfq).toEqual(rfq)
    expect(await refusal(service, newKey())).toMatch(/TOO_MANY_OPEN|RATE_LIMITED/)
  })

  test('behavior: one that was refused may be sent again', async () => {
    const key = newKey()
    faults.openAuction = 'fails'
    expect(await refusal(service, key)).toBe('STORAGE_UNAVAILABLE')
    faults.openAuction = 'none'
    service.clock.advance(500)
    await until(() => service.storage.isWritable())
    expect(await refusal(service, key)).toBe('opened')
  })

  test('behavior: on another instance, and a day later', async () => {
    const peer = await startPeer({ bus: 'own' })
    const key = newKey()
    const [a, b] = await Promise.all([open(service, key), open(peer, key)])
    expect(b.rfq).toEqual(a.rfq)
    service.clock.jump(86_400_000)
    expect((await open(peer, key)).rfq).toEqual(a.rfq)
    service.clock.jump(1)
    expect((await open(peer, key)).rfq).not.toEqual(a.rfq)
  })

  test('behavior: what was written though it was not known is found by it', async () => {
    const key = newKey()
    faults.openAuction = 'unknown, stored'
    expect(await refusal(service, key)).toBe('STORAGE_UNAVAILABLE')
    faults.openAuction = 'none'
    const backer = recordingSession(devnet.backers[0].address)
    service.hub.join(backer.session)
    service.clock.advance(1_000)
    // It was not broadcast; the next look tells the backers.
    expect(await backer.next('rfq')).toMatchObject({ notional: '1000000000' })
    await until(() => service.storage.isWritable())
    const auction = await open(service, key)
    expect(service.hub.count().open).toBe(1)
    expect((await send(service, auction, await quoteOf(0))).ok).toBe(true)
  })

  test('behavior: it is kept nowhere and logged nowhere', async () => {
    const key = newKey()
    const auction = await open(service, key)
    await refusal(service, key, { notional: 3n })
    service.clock.advance(15_000)
    await auction.result()
    const logged = JSON.stringify(service.logs, (_name, part) => (typeof part === 'bigint' ? `${part}` : part))
    expect(logged).toContain('auction closed')
    expect(logged).not.toContain(key)
    expect(logged).not.toContain(auction.rfq.rfqId)
  })
})

describe('follow', () => {
  test('default', async () => {
    const { rfq } = await open()
    const followed = await service.hub.follow(rfq.rfqId)
    const [all, behind] = [follow(followed), follow(followed, 0)]
    expect((await send(service, followed as FollowedAuction, await quoteOf(0))).ok).toBe(true)
    expect(all.ids()).toEqual(['started 0', 'quote 1'])
    expect(behind.ids()).toEqual(['quote 1'])
    service.clock.advance(15_000)
    await followed?.result()
    expect(all).toMatchObject({ isOver: true })
    expect(all.ids()).toEqual(['started 0', 'quote 1', 'done 2'])
    const closed = await service.hub.follow(rfq.rfqId)
    expect(follow(closed).events).toEqual(all.events)
    expect(follow(closed, 1).ids()).toEqual(['done 2'])
    expect(follow(closed, 2)).toMatchObject({ events: [], isOver: true })
    expect(closed).toMatchObject({ rfq, backers: 0 })
  })

  test('behavior: an unknown id, and the public one, which opens nothing', async () => {
    const { rfq } = await open()
    expect(await service.hub.follow(toRfqId('00'.repeat(16)))).toBeNull()
    expect(await service.hub.follow(publicRfqId(rfq.rfqId) as never)).toBeNull()
  })

  test('behavior: who has seen more than this instance gets nothing twice', async () => {
    const { rfq } = await open()
    const peer = await startPeer({ bus: 'own' })
    const there = (await peer.hub.follow(rfq.rfqId)) as FollowedAuction
    expect((await send(peer, there, await quoteOf(0))).ok).toBe(true)
    expect((await send(peer, there, await quoteOf(1))).ok).toBe(true)
    const here = follow(await service.hub.follow(rfq.rfqId), 1)
    expect(here.events).toEqual([])
    service.clock.advance(1_000)
    await until(() => here.events.length > 0)
    expect(here.ids()).toEqual(['quote 2'])
  })
})

describe('two instances', () => {
  test.each(['shared', 'own'] as const)('default: with %s bus', async (bus) => {
    const peer = await startPeer({ bus })
    const backer = recordingSession(devnet.backers[1].address)
    peer.hub.join(backer.session)
    const auction = await open()
    const here = follow(auction)
    // Without messages, one look a second is what it takes.
    service.clock.advance(1_000)
    expect(await backer.next('rfq')).toMatchObject({ rfqId: publicRfqId(auction.rfq.rfqId) })
    const there = follow(await peer.hub.follow(auction.rfq.rfqId))

    expect((await send(peer, auction, await quoteOf(1))).ok).toBe(true)
    expect((await send(service, auction, await quoteOf(0))).ok).toBe(true)
    service.clock.advance(1_000)
    await until(() => here.events.length === 3 && there.events.length === 3)
    service.clock.advance(13_000)
    const result = await auction.result()
    expect(result).toMatchObject({ closedAt: auction.rfq.closesAt, quotes: [{}, {}] })
    service.clock.advance(1_000)
    await until(() => there.isOver)
    expect(here.ids()).toEqual(['started 0', 'quote 1', 'quote 2', 'done 3'])
    expect(there.events).toEqual(here.events)
    expect(await backer.next('auction_result')).toMatchObject({ quoteCount: 2, own: {} })
    expect(await peer.hub.find(auction.rfq.rfqId)).toEqual(result)
    expect(await service.hub.find(auction.rfq.rfqId)).toEqual(result)
    expect([service.hub.count().open, peer.hub.count().open]).toEqual([0, 0])
  })

  test('behavior: a message makes it quick: no time passes until the other one tells its borrower', async () => {
    const peer = await startPeer()
    const auction = await open()
    const there = follow(await peer.hub.follow(auction.rfq.rfqId))
    expect((await send(service, auction, await quoteOf(0))).ok).toBe(true)
    await until(() => there.events.length === 2)
    service.clock.advance(15_000)
    await until(() => there.isOver)
    expect(there.ids()).toEqual(['started 0', 'quote 1', 'done 2'])
  })

  test('behavior: when who has opened it is gone, another one closes it, once', async () => {
    const peer = await startPeer({ bus: 'own' })
    const auction = await open()
    const backer = recordingSession(devnet.backers[0].address)
    peer.hub.join(backer.session)
    const there = follow(await peer.hub.follow(auction.rfq.rfqId))
    expect((await send(service, auction, await quoteOf(0))).ok).toBe(true)
    service.hub.stop()
    service.clock.advance(15_000 + 249)
    await settle()
    expect(there.isOver).toBe(false)
    service.clock.advance(751)
    await until(() => there.isOver)
    expect(there.ids()).toEqual(['started 0', 'quote 1', 'done 2'])
    const closed = await service.store.findAuction({ rfqId: auction.rfq.rfqId })
    expect(closed?.close?.interrupted).toBe(false)
    const delay = (closed?.close?.closedAt ?? 0) - auction.rfq.closesAt
    expect(delay).toBeGreaterThanOrEqual(250)
    expect(delay).toBeLessThanOrEqual(1_000)
    expect(await backer.next('auction_result')).toMatchObject({ quoteCount: 1, outcome: 'best' })
  })

  test('behavior: a maker has one quote; the same one has one answer, whichever instance it comes to', async () => {
    const peer = await startPeer({ bus: 'own' })
    const auction = await open()
    const quote = await quoteOf(0)
    const [here, there] = await Promise.all([send(service, auction, quote), send(peer, auction, quote)])
    expect(here.ok && there.ok && there.value).toEqual(here.ok && here.value)
    const another = await quoteOf(0, { vrtAmount: 1n })
    const verdicts = await Promise.all([send(service, auction, another), send(peer, auction, another)])
    expect(verdicts.map(codeOf)).toEqual(['ALREADY_QUOTED', 'ALREADY_QUOTED'])
    const two = [await quoteOf(1), await quoteOf(1, { vrtAmount: 1n })] as const
    const race = await Promise.all([send(service, auction, two[0]), send(peer, auction, two[1])])
    expect(race.map(codeOf).sort()).toEqual(['ALREADY_QUOTED', 'accepted'])
  })

  test('behavior: what another instance has accepted is not refused here, whatever is judged now', async () => {
    const peer = await startPeer({ bus: 'own' })
    const auction = await open()
    await peer.hub.follow(auction.rfq.rfqId)
    const quote = await quoteOf(0, { deadline: auction.rfq.minDeadline ?? 0n })
    const first = await send(service, auction, quote)
    expect(first.ok).toBe(true)
    // Its deadline is too near by now; nothing has told the other instance of the row yet.
    faults.reads = 'fails'
    service.clock.jump(30_000)
    expect(await send(peer, auction, quote)).toEqual(first)
    faults.reads = 'none'
  })

  test('error: whether it was accepted elsewhere cannot be read', async () => {
    const auction = await open()
    faults.reads = 'fails'
    const quote = await quoteOf(0, { notional: 0n })
    expect(await send(service, auction, quote)).toEqual({
      ok: false,
      rejection: { code: 'OUTCOME_UNKNOWN', hash: hashOf(quote) },
    })
    faults.reads = 'none'
    expect(codeOf(await send(service, auction, quote))).toBe('NOTIONAL_TOO_SMALL')
  })

  test('behavior: one that drains does not take up what others open', async () => {
    const peer = await startPeer({ bus: 'own' })
    const drained = peer.hub.drain()
    await open()
    service.clock.advance(1_000)
    await settle()
    await drained
    expect(peer.hub.count().open).toBe(0)
    expect(service.hub.count().open).toBe(1)
  })

  test('behavior: one that drains takes quotes for what others have opened, and does not wait for their auctions', async () => {
    const peer = await startPeer({ bus: 'own' })
    const before = await open()
    await peer.hub.follow(before.rfq.rfqId)
    const drained = { isOver: false }
    void peer.hub.drain().then(() => {
      drained.isOver = true
    })
    service.clock.advance(14_000)
    const after = await open()
    expect((await send(peer, after, await quoteOf(0))).ok).toBe(true)
    expect([peer.hub.count().open, drained.isOver]).toEqual([2, false])
    service.clock.advance(2_000)
    await until(() => drained.isOver)
    expect(peer.hub.count().open).toBe(1)
    expect(await service.hub.find(after.rfq.rfqId)).toMatchObject({ status: 'open' })
  })
})

describe('a restart', () => {
  let store: Store
  beforeEach(async () => {
    store = await createSqliteStore({ file: ':memory:' })
    await service.close()
    await start({ store })
  })
  afterEach(() => store.close())

  /** Ends the process as a power cut does, and starts another one on the same rows. */
  async function restart({ clock }: RealService, downMs: number) {
    await service.close()
    clock.jump(downMs)
    const later = createFakeClock(clock.now())
    await start({ store, clock: later, resumed: false })
    return later
  }

  test('default', async () => {
    const key = newKey()
    const auction = await open(service, key)
    const before = follow(auction)
    const [early, late] = [await quoteOf(0), await quoteOf(1)]
    const verdict = await send(service, auction, early)
    expect(verdict.ok).toBe(true)
    service.clock.advance(4_000)

    const clock = await restart(service, 5_000)
    const backer = recordingSession(devnet.backers[1].address)
    service.hub.join(backer.session)
    await service.hub.resume()
    expect(service.hub.count().open).toBe(1)
    expect(await backer.next('rfq')).toMatchObject({ rfqId: publicRfqId(auction.rfq.rfqId) })
    const again = await open(service, key)
    expect(again.rfq).toEqual(auction.rfq)
    const after = follow(again)
    expect(after.events).toEqual(before.events)
    expect(await send(service, again, early)).toEqual(verdict)
    expect((await send(service, again, late)).ok).toBe(true)
    clock.advance(5_999)
    await settle()
    expect(after.isOver).toBe(false)
    clock.advance(1)
    const result = await again.result()
    expect(result).toMatchObject({ closedAt: auction.rfq.closesAt, quotes: [{}, {}] })
    expect(result.interrupted).toBeUndefined()
    expect(after.ids()).toEqual(['started 0', 'quote 1', 'quote 2', 'done 3'])
    // Equal prices: the earlier arrival is first.
    expect(result.quotes.map(({ hash }) => hash)).toEqual([early, late].map(hashOf))
  })

  test('behavior: what is past its deadline is closed at once, and says that it was interrupted', async () => {
    const auction = await open()
    expect((await send(service, auction, await quoteOf(0))).ok).toBe(true)
    await restart(service, 60_000)
    const backer = recordingSession(devnet.backers[0].address)
    service.hub.join(backer.session)
    await service.hub.resume()
    service.clock.advance(0)
    await until(() => service.hub.count().open === 0)
    // Nobody is asked for what is over; who is there hears its outcome.
    await settle()
    expect(backer.frames).toMatchObject([{ type: 'auction_result', outcome: 'best' }])
    const told = follow(await service.hub.follow(auction.rfq.rfqId))
    expect(told.ids()).toEqual(['started 0', 'quote 1', 'done 2'])
    expect(told.events.at(-1)?.data).toMatchObject({ interrupted: true, quoteCount: 1 })
    expect(await service.hub.find(auction.rfq.rfqId)).toMatchObject({ status: 'closed', interrupted: true })
  })

  test('behavior: with a clock that was put back it is open no longer than it was to be', async () => {
    const auction = await open()
    const [early, late] = [await quoteOf(0), await quoteOf(1)]
    service.clock.advance(10_000)
    expect((await send(service, auction, early)).ok).toBe(true)
    const clock = await restart(service, -3_600_000)
    await service.hub.resume()
    const told = follow(await service.hub.follow(auction.rfq.rfqId))
    // What comes after the restart is not ranked before what came before it.
    expect((await send(service, auction, late)).ok).toBe(true)
    clock.advance(14_999)
    await settle()
    expect(told.isOver).toBe(false)
    clock.advance(1)
    await until(() => told.isOver)
    expect(told.events.at(-1)?.data).toMatchObject({ ranking: [early, late].map(hashOf) })
  })
})

describe('a store that fails', () => {
  test('error: a quote that cannot be stored is not accepted, and its backer may submit again', async () => {
    const auction = await open()
    const told = follow(auction)
    faults.acceptQuote = 'fails'
    for (const _ of [1, 2, 3, 4])
      expect(codeOf(await send(service, auction, await quoteOf(0)))).toBe('STORAGE_UNAVAILABLE')
    expect(told.ids()).toEqual(['started 0'])
    faults.acceptQuote = 'none'
    expect((await send(service, auction, await quoteOf(0))).ok).toBe(true)
    expect(told.ids()).toEqual(['started 0', 'quote 1'])
  })

  test('behavior: when it is not known whether a quote is stored, the store is asked again, with pauses', async () => {
    const auction = await open()
    const told = follow(auction)
    const quote = await quoteOf(0)
    faults.acceptQuote = 'unknown, stored'
    const verdict = send(service, auction, quote)
    const pauses = [100, 200, 400, 800, 1_000, 1_000]
    for (const [asked, pause] of pauses.entries()) {
      await faults.untilAsked('acceptQuote', asked + 1)
      await settle()
      service.clock.advance(pause - 1)
      await settle()
      expect(faults.asked.acceptQuote).toBe(asked + 1)
      if (asked === pauses.length - 1) faults.acceptQuote = 'none'
      service.clock.advance(1)
    }
    expect(await verdict).toMatchObject({ ok: true, value: { hash: hashOf(quote) } })
    expect(told.ids()).toEqual(['started 0', 'quote 1'])
    expect(faults.asked.acceptQuote).toBe(7)
    // Nobody waits any more: the limit of five seconds is gone with the answer.
    service.clock.advance(5_000)
    await settle()
    expect(codeOf(await send(service, auction, quote))).toBe('accepted')
  })

  test.each(['unknown, not stored', 'hangs'] as const)(
    'error: after five seconds its maker hears that it is not known (%s); later the same quote has its answer',
    async (fault) => {
      const auction = await open()
      const quote = await quoteOf(0)
      faults.acceptQuote = fault
      const verdict = send(service, auction, quote)
      await faults.untilAsked('acceptQuote', 1)
      await settle()
      for (let elapsed = 0; elapsed < 4_900; elapsed += 100) {
        service.clock.advance(100)
        await nextTurn()
      }
      let isAnswered = false
      void verdict.then(() => {
        isAnswered = true
      })
      service.clock.advance(99)
      await settle()
      expect(isAnswered).toBe(false)
      service.clock.advance(1)
      const unknown = { ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash: hashOf(quote) } }
      expect(await verdict).toEqual(unknown)
      expect(await send(service, auction, quote)).toEqual(unknown)
      expect(await send(service, auction, await quoteOf(0, { vrtAmount: 1n }))).toEqual(unknown)
      faults.acceptQuote = 'none'
      faults.release()
      service.clock.advance(1_000)
      await settle()
      expect(codeOf(await send(service, auction, quote))).toBe('accepted')
      expect(await service.store.findAuction({ rfqId: auction.rfq.rfqId })).toMatchObject({ quotes: [{ seq: 1 }] })
    },
  )

  test.each(['fails', 'unknown, stored', 'unknown, not stored', 'hangs'] as const)(
    'error: a close that %s is tried until it succeeds; after ten seconds who follows hears so',
    async (fault) => {
      const auction = await open()
      const quote = await quoteOf(0)
      expect((await send(service, auction, quote)).ok).toBe(true)
      const told = follow(auction)
      const rejected = expect(auction.result()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
      faults.closeAuction = fault
      service.clock.advance(15_000)
      for (let elapsed = 0; elapsed < 9_900; elapsed += 100) {
        await nextTurn()
        service.clock.advance(100)
      }
      expect(told.isOver).toBe(false)
      service.clock.advance(100)
      await rejected
      expect(told.isOver).toBe(true)
      expect(told.ids()).toEqual(['started 0', 'quote 1', 'error 1'])
      // It can be followed: what comes is told then.
      const later = follow(await service.hub.follow(auction.rfq.rfqId), 1)
      const result = auction.result()
      expect(service.hub.count().open).toBe(1)
      faults.closeAuction = 'none'
      faults.release()
      for (let elapsed = 0; elapsed < 2_000; elapsed += 100) {
        await nextTurn()
        service.clock.advance(100)
      }
      expect(await result).toMatchObject({ status: 'closed', quotes: [{ hash: hashOf(quote) }] })
      expect(later.ids()).toEqual(['done 2'])
      expect(service.hub.count().open).toBe(0)
      const warnings = service.logs.filter(({ message }) => message.startsWith('the result of an auction could not'))
      expect(warnings.length > 0).toBe(fault !== 'hangs')
    },
  )

  test('behavior: a verdict that waits at the close has the answer of the rows, though the commit was not known', async () => {
    const auction = await open()
    service.clock.advance(14_000)
    const quote = await quoteOf(0)
    faults.acceptQuote = 'unknown, stored'
    const verdict = send(service, auction, quote)
    await faults.untilAsked('acceptQuote', 1)
    await settle()
    service.clock.advance(1_000)
    expect((await auction.result()).quotes).toHaveLength(1)
    expect(await verdict).toMatchObject({ ok: true, value: { hash: hashOf(quote) } })
    expect(codeOf(await send(service, auction, quote))).toBe('accepted')
    expect(codeOf(await send(service, auction, await quoteOf(1)))).toBe('AUCTION_CLOSED')
  })

  test('behavior: RFQs are refused while nothing can be written, and taken again by themselves', async () => {
    faults.openAuction = 'fails'
    faults.probe = 'fails'
    expect(await refusal()).toBe('STORAGE_UNAVAILABLE')
    expect(service.storage.isWritable()).toBe(false)
    expect((await service.health()).database).toBe('down')
    expect(await refusal()).toBe('STORAGE_UNAVAILABLE')
    expect(faults.asked.openAuction).toBe(1)
    faults.openAuction = 'none'
    service.clock.advance(500)
    await settle()
    expect(await refusal()).toBe('STORAGE_UNAVAILABLE')
    faults.probe = 'none'
    service.clock.advance(500)
    await until(() => service.storage.isWritable())
    expect(await refusal()).toBe('opened')
    expect((await service.health()).database).toBe('ok')
    const said = service.logs.map(({ message }) => message)
    expect(said.filter((message) => message === 'the database cannot be written to')).toHaveLength(1)
    expect(said).toContain('the database can be written to again')
  })

  test('behavior: an auction that was opened as the service stops is left to the next start', async () => {
    faults.openAuction = 'hangs'
    const refused = refusal()
    await faults.untilAsked('openAuction', 1)
    let isDrained = false
    void service.hub.drain().then(() => {
      isDrained = true
    })
    await settle()
    expect(isDrained).toBe(false)
    service.hub.stop()
    faults.release()
    expect(await refused).toBe('OVERLOADED')
    expect(service.hub.count().open).toBe(0)
    expect(await service.store.listOpenAuctions()).toHaveLength(1)
  })

  test('behavior: an auction whose row a look sees before its opening is heard of runs once', async () => {
    const backer = recordingSession(devnet.backers[0].address)
    service.hub.join(backer.session)
    // The row is there, and its writer has not said so yet.
    await service.close()
    const created = createStoreFaults()
    faults = created.faults
    let heard = () => {}
    service = await startRealService(devnet, {
      withStore: (store) =>
        created.withFaults({
          ...store,
          openAuction: async (auction) => {
            const opened = await store.openAuction(auction)
            await new Promise<void>((resolve) => {
              heard = resolve
            })
            return opened
          },
        }),
    })
    const opening = open()
    await faults.untilAsked('openAuction', 1)
    await settle()
    service.clock.advance(1_000)
    await settle()
    expect(service.hub.count().open).toBe(0)
    heard()
    const auction = await opening
    const told = follow(auction)
    expect((await send(service, auction, await quoteOf(0))).ok).toBe(true)
    service.clock.advance(14_000)
    await auction.result()
    expect(told.ids()).toEqual(['started 0', 'quote 1', 'done 2'])
  })
})
