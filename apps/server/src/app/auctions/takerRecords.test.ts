// Taker records: when they are shared, with whom, and when they are withheld.

import { ChainUnavailableError, type RFQRequest } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { type HubFixture, opened, openingOf, settle, startHub } from '../../../test/startHub.ts'
import { makerOf, openedAt, other } from '../../../test/storedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import type { AuctionHub } from '../service.ts'

let it: HubFixture
/** The amount that each maker could pay; 0 for makers not listed. */
let funds: Map<Address, bigint>
/** The makers whose funds were requested in each read. */
let readings: Address[][]

beforeEach(async () => {
  it = await startHub()
  funds = new Map()
  readings = []
  const { readFunds } = it.deps.chain
  it.deps.chain.readFunds = async (request) => {
    readings.push([...request.makers])
    const { block, funds: read } = await readFunds(request)
    const amounts = new Map(request.makers.map((maker) => [maker, funds.get(maker) ?? 0n] as const))
    return { block, funds: new Map([...read.keys()].map((token) => [token, amounts])) }
  }
})
afterEach(() => it.close())

const [rich, poor, late] = [makerOf(1), makerOf(2), makerOf(3)]
const gatherMs = 1_000
const intervalMs = 30_000
const audience = 'https://rfq.example.com'
const requester = { address: 'one', audience }
const minNotional = 100n

/** A request from a taker that owes 1,000. The proof was signed when the fake clock started. */
const shared = {
  notional: 200n,
  minNotional,
  taker: other,
  takerProof: { timestamp: openedAt / 1_000, signature: `0x${'ab'.repeat(65)}` },
  shareRecord: true,
} satisfies Partial<RFQRequest>

type Told = { type: string; rfqId: string; taker?: Address; takerRecord?: unknown }

function join(address: Address, hub: AuctionHub = it.hub) {
  const told: Told[] = []
  const { openRfqs, leave } = hub.join({
    address,
    send(frame) {
      const message = JSON.parse(frame) as Told
      if (message.type === 'rfq') told.push(message)
    },
  })
  return { told, openRfqs, leave }
}

async function pass(milliseconds: number): Promise<void> {
  it.clock.advance(milliseconds)
  await settle()
}

async function ask(change: Partial<RFQRequest> = {}, hub: AuctionHub = it.hub) {
  const { rfq } = await opened(hub, { ...shared, ...change }, requester)
  await settle()
  return rfq
}

const recordsOf = ({ told }: { told: Told[] }) => told.map(({ takerRecord }) => takerRecord)
const first = { unfixedDebt: '1000', asked: 0, taken: 0 }

describe('a record that is shared', () => {
  test('default: only a maker whose funds cover the minimum notional sees it; both get the RFQ', async () => {
    funds = new Map([
      [rich, minNotional],
      [poor, minNotional - 1n],
    ])
    const [a, b] = [join(rich), join(poor)]
    await pass(gatherMs)
    const rfq = await ask()
    expect(rfq.takerRecord).toEqual({ unfixedDebt: 1_000n, asked: 0, taken: 0 })
    expect([recordsOf(a), recordsOf(b)]).toEqual([[first], [undefined]])
    const { takerRecord: _, ...plain } = a.told[0] as Told
    expect(plain).toMatchObject({ rfqId: publicRfqId(rfq.rfqId), taker: other, takerVerified: true })
    expect(b.told).toEqual([plain])
  })

  test('behavior: after a reconnect it is among the open RFQs, by the same rule', async () => {
    funds = new Map([[rich, minNotional]])
    const [a, b] = [join(rich), join(poor)]
    await pass(gatherMs)
    const { takerRecord } = await ask()
    for (const { leave } of [a, b]) leave()
    expect(join(rich).openRfqs).toMatchObject([{ takerRecord }])
    for (const maker of [poor, late]) expect(join(maker).openRfqs[0]).not.toHaveProperty('takerRecord')
    // The hub's own copy of the RFQ is unchanged.
    expect(join(rich).openRfqs).toMatchObject([{ takerRecord }])
  })

  test('behavior: it counts earlier RFQs of verified takers only', async () => {
    funds = new Map([[rich, minNotional]])
    const maker = join(rich)
    await pass(gatherMs)
    const { takerProof: _, ...unproven } = shared
    await opened(it.hub, unproven, requester)
    await ask({ notional: 150n, shareRecord: false })
    await ask()
    expect(recordsOf(maker)).toEqual([undefined, undefined, { ...first, asked: 1 }])
  })

  test('behavior: a resumed auction shows only the record that its borrower shared', async () => {
    funds = new Map([[rich, minNotional]])
    const peer = it.startPeer('own')
    const maker = join(rich, peer)
    await pass(gatherMs)
    await ask()
    await ask({ shareRecord: false })
    await peer.resume()
    await settle()
    expect(recordsOf(maker)).toHaveLength(2)
    expect(recordsOf(maker)).toEqual(expect.arrayContaining([first, undefined]))
  })

  test('behavior: each instance shows it to its own makers with funds', async () => {
    funds = new Map([[rich, minNotional]])
    const peer = it.startPeer('shared')
    const [a, b] = [join(rich, peer), join(poor, peer)]
    await pass(gatherMs)
    await ask()
    expect([recordsOf(a), recordsOf(b)]).toEqual([[first], [undefined]])
  })
})

describe('it is not shown', () => {
  test.each<[string, Partial<RFQRequest>]>([
    ['without shareRecord', { shareRecord: false }],
    ['of a taker whose debt does not cover the RFQ', { notional: 1_001n }],
  ])('behavior: %s', async (_what, change) => {
    funds = new Map([[rich, 10n ** 9n]])
    const maker = join(rich)
    await pass(gatherMs)
    expect(await ask(change)).not.toHaveProperty('takerRecord')
    expect(recordsOf(maker)).toEqual([undefined])
    expect(join(rich).openRfqs[0]).not.toHaveProperty('takerRecord')
  })

  test('behavior: for a taker without a proof, named or not', async () => {
    funds = new Map([[rich, minNotional]])
    const maker = join(rich)
    await pass(gatherMs)
    const { takerProof: _, taker, ...terms } = shared
    for (const request of [terms, { ...terms, taker }]) await opened(it.hub, request, requester)
    await settle()
    expect(recordsOf(maker)).toEqual([undefined, undefined])
  })

  test('error: the chain cannot be read', async () => {
    it.deps.chain.readHead = () => Promise.reject(new ChainUnavailableError('no answer'))
    expect(await openingOf(it.hub, shared, requester)).toBe('CHAIN_UNAVAILABLE')
    expect(it.hub.count().open).toBe(0)
    expect(await openingOf(it.hub, { ...shared, shareRecord: false }, requester)).toBe('opened')
  })
})

describe('the funds of makers', () => {
  test('behavior: makers that connect together are read together; all are read every 30 seconds', async () => {
    join(rich)
    join(rich)
    join(poor)
    await pass(gatherMs - 1)
    expect(readings).toEqual([])
    await pass(1)
    expect(readings).toEqual([[rich, poor]])
    join(late)
    await pass(intervalMs - 1)
    expect(readings).toHaveLength(1)
    await pass(1)
    expect(readings).toEqual([
      [rich, poor],
      [rich, poor, late],
    ])
  })

  test('behavior: a maker not yet read counts as having no funds, and no one waits for the read', async () => {
    funds = new Map([[rich, minNotional]])
    const maker = join(rich)
    await ask()
    expect(recordsOf(maker)).toEqual([undefined])
    await pass(gatherMs)
    await ask()
    expect(recordsOf(maker)).toEqual([undefined, { ...first, asked: 1 }])
  })

  test('behavior: spent funds count until the next read', async () => {
    funds = new Map([[rich, minNotional]])
    const maker = join(rich)
    await pass(gatherMs)
    funds.set(rich, minNotional - 1n)
    await ask()
    await pass(intervalMs)
    await ask()
    expect(recordsOf(maker)).toEqual([first, undefined])
  })

  test('error: after a failed read all funds are unknown until the next one, 30 seconds later', async () => {
    funds = new Map([[rich, minNotional]])
    const maker = join(rich)
    await pass(gatherMs)
    it.chain.verdict = 'fails'
    await pass(intervalMs)
    it.chain.verdict = 'good'
    expect(it.logs).toContainEqual(expect.objectContaining({ level: 'warn' }))
    await ask()
    await pass(intervalMs)
    await ask()
    expect(recordsOf(maker)).toEqual([undefined, expect.objectContaining({ unfixedDebt: '1000' })])
    expect(readings).toHaveLength(3)
  })

  test('behavior: without makers it does not read, and forgets known funds', async () => {
    funds = new Map([[rich, minNotional]])
    const { leave } = join(rich)
    await pass(gatherMs)
    leave()
    await pass(10 * intervalMs)
    expect(readings).toHaveLength(1)
    await ask()
    expect(join(rich).openRfqs[0]).not.toHaveProperty('takerRecord')
    await pass(gatherMs)
    expect(readings).toHaveLength(2)
    expect(join(rich).openRfqs[0]).toHaveProperty('takerRecord')
  })

  test('behavior: a stopped hub does not read', async () => {
    join(rich)
    await pass(gatherMs)
    it.hub.stop()
    await pass(10 * intervalMs)
    expect(readings).toHaveLength(1)
  })
})
