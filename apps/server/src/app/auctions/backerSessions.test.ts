import { type RFQBroadcast, toPublicRfqId } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect, test } from '@jest/globals'
import { testRfq } from '../../../test/scriptedService.ts'
import { createInProcessBus } from '../../adapters/inProcessBus.ts'
import { createBackerSessions } from './backerSessions.ts'

type Message = {
  type: string
  rfqId: string
  traceparent?: string
  takerRecord?: object
  own?: { hash: string }
  outcome?: string
}

function start() {
  const clock = createFakeClock(testRfq.openedAt)
  const bus = createInProcessBus({
    onError: (error) => {
      throw error
    },
  })
  const sessions = createBackerSessions({
    bus,
    clock,
    presence: { join: () => () => {} },
    // Only every second maker's funds are known.
    funds: { joined() {}, cover: (address) => Number(address) % 2 === 1 },
  })
  const join = (index: number, traces = false) => {
    const received: Message[] = []
    const address = `0x${index.toString(16).padStart(40, '0')}` as const
    const send = (frame: string) => void received.push(JSON.parse(frame) as Message)
    return { address, received, ...sessions.join({ address, send, traces }) }
  }
  return { sessions, join, clock, bus }
}

const rfqOf = (index: number): RFQBroadcast => ({
  ...testRfq,
  rfqId: toPublicRfqId(index.toString(16).padStart(32, '0')),
})
const outcomeOf = ({ rfqId }: RFQBroadcast, backers = {}) => ({ rfqId, closedAt: 1_300, quoteCount: 1, backers })
const turn = () => new Promise((resolve) => setImmediate(resolve))
const many = 1_000
const said = (received: Message[]) => received.map(({ type, rfqId }) => `${type} ${Number(`0x${rfqId}`)}`)

test('behavior: a session that joins or leaves during a broadcast gets each RFQ exactly once', async () => {
  const { sessions, join } = start()
  const backers = Array.from({ length: many }, (_, index) => join(index))
  const [first, second] = [rfqOf(1), rfqOf(2)]
  sessions.broadcastRfq(first)
  sessions.broadcastRfq(second)
  // The bus has delivered both messages, but most backers have not been sent the first one yet.
  await Promise.resolve()
  const last = backers.at(-1)
  expect(last?.received).toEqual([])

  const late = join(many)
  expect(late.openRfqs.map(({ rfqId }) => rfqId)).toEqual([first.rfqId, second.rfqId])
  backers[many - 2]?.leave()
  const again = join(many - 2)
  expect(again.openRfqs).toHaveLength(2)

  sessions.broadcastOutcome(outcomeOf(first))
  await turn()
  await sessions.flushed()
  expect(said(last?.received ?? [])).toEqual(['rfq 1', 'rfq 2', 'auction_result 1'])
  expect(said(backers[0]?.received ?? [])).toEqual(['rfq 1', 'rfq 2', 'auction_result 1'])
  for (const { received } of [late, again]) expect(said(received)).toEqual(['auction_result 1'])
})

test('behavior: each backer that quoted gets only its own outcome', async () => {
  const { sessions, join } = start()
  const backers = Array.from({ length: 4 }, (_, index) => join(index))
  const hash = `0x${'55'.repeat(32)}` as const
  const told = {
    [backers[2]?.address ?? '']: { outcome: 'best', hash },
    [backers[3]?.address ?? '']: { outcome: 'late' },
  } as const
  sessions.broadcastRfq(rfqOf(1))
  sessions.broadcastOutcome(outcomeOf(rfqOf(1), told))
  await turn()
  expect(backers.map(({ received }) => received[1]?.outcome)).toEqual([undefined, undefined, 'best', 'late'])
  expect(backers.map(({ received }) => received[1]?.own)).toEqual([undefined, undefined, { hash }, undefined])
})

test('behavior: the store and the bus cause one message, in either order', async () => {
  const { sessions, join } = start()
  const backer = join(1)
  const [first, second] = [rfqOf(1), rfqOf(2)]
  sessions.sendRfq(first)
  sessions.broadcastRfq(first)
  sessions.broadcastRfq(second)
  await turn()
  sessions.sendRfq(second)
  sessions.sendOutcome(outcomeOf(first))
  sessions.broadcastOutcome(outcomeOf(first))
  sessions.broadcastOutcome(outcomeOf(second))
  await turn()
  sessions.sendOutcome(outcomeOf(second))
  expect(said(backer.received)).toEqual(['rfq 1', 'rfq 2', 'auction_result 1', 'auction_result 2'])
  expect(join(2).openRfqs).toEqual([])
})

test('behavior: local messages stay local; broadcasts reach every instance', async () => {
  const { sessions, join, bus, clock } = start()
  const peer = createBackerSessions({
    bus,
    clock,
    presence: { join: () => () => {} },
    funds: { joined() {}, cover: () => false },
  })
  const received: Message[] = []
  peer.join({ address: `0x${'01'.repeat(20)}`, send: (frame) => received.push(JSON.parse(frame) as Message) })
  const backer = join(1)
  sessions.sendRfq(rfqOf(1))
  sessions.broadcastRfq(rfqOf(2))
  await turn()
  expect(said(backer.received)).toEqual(['rfq 1', 'rfq 2'])
  expect(said(received)).toEqual(['rfq 2'])
})

test('behavior: an RFQ that arrives after its outcome is not sent', async () => {
  const { sessions, join } = start()
  const backer = join(1)
  sessions.broadcastOutcome(outcomeOf(rfqOf(1)))
  sessions.broadcastRfq(rfqOf(1))
  await turn()
  expect(backer.received).toEqual([])
  expect(join(2).openRfqs).toEqual([])
})

test('behavior: an RFQ without an outcome is remembered for some seconds after its end', async () => {
  const { sessions, join, clock } = start()
  sessions.sendRfq(rfqOf(1))
  clock.advance(300 + 5_000)
  expect(join(1).openRfqs).toHaveLength(1)
  clock.advance(1)
  const backer = join(2)
  expect(backer.openRfqs).toEqual([])
  sessions.sendRfq(rfqOf(2))
  expect(join(3).openRfqs).toHaveLength(1)
  // The sessions no longer remember the RFQ, so they treat it as new.
  sessions.sendRfq(rfqOf(1))
  expect(said(backer.received)).toEqual(['rfq 2', 'rfq 1'])
})

test('behavior: the outcome of a local auction is sent once, however late', async () => {
  const { sessions, join, clock } = start()
  const backer = join(1)
  sessions.sendRfq(rfqOf(1))
  clock.advance(300 + 5_001)
  sessions.sendRfq(rfqOf(2))
  sessions.broadcastOutcome(outcomeOf(rfqOf(1)))
  sessions.sendOutcome(outcomeOf(rfqOf(1)))
  await turn()
  expect(said(backer.received)).toEqual(['rfq 1', 'rfq 2', 'auction_result 1'])
})

test('behavior: an RFQ that arrives at its close or later is ignored', async () => {
  const { join, bus, clock } = start()
  const backer = join(1)
  const frameOf = (rfq: RFQBroadcast) => encodeJson({ type: 'rfq', ...rfq })
  clock.advance(testRfq.closesAt - testRfq.openedAt - 1)
  bus.publish('rfq', frameOf(rfqOf(1)))
  await turn()
  clock.advance(1)
  bus.publish('rfq', frameOf(rfqOf(2)))
  await turn()
  expect(said(backer.received)).toEqual(['rfq 1'])
  expect(join(2).openRfqs.map(({ rfqId }) => rfqId)).toEqual([rfqOf(1).rfqId])
})

test('behavior: with duplicated, late and reordered messages each backer gets each message once, and none after the end', async () => {
  const { join, bus, clock } = start()
  const backer = join(1)
  const rfq = encodeJson({ type: 'rfq', ...rfqOf(1) })
  const outcome = encodeJson(outcomeOf(rfqOf(1), { [backer.address]: { outcome: 'best' } }))
  for (const payload of [rfq, rfq]) bus.publish('rfq', payload)
  for (const payload of [outcome, outcome]) bus.publish('auction_result', payload)
  bus.publish('rfq', rfq)
  await turn()
  clock.advance(60_000)
  bus.publish('rfq', rfq)
  bus.publish('auction_result', outcome)
  await turn()
  expect(said(backer.received)).toEqual(['rfq 1', 'auction_result 1'])
})

test.each(['rfq', 'auction_result', 'auction_distance'])(
  'behavior: %s with an unknown shape is ignored, and known messages are delivered',
  async (subject) => {
    // The bus that `start` creates rethrows errors from handlers.
    const { join, bus } = start()
    const backer = join(1)
    const { rfqId } = rfqOf(1)
    bus.publish('rfq', encodeJson({ type: 'rfq', ...rfqOf(1) }))
    await turn()
    const hash = `0x${'55'.repeat(32)}`
    for (const payload of [
      'no JSON',
      ...[null, 1, 'text', [], {}, { rfqId }, { rfqId: 1 }, { rfqId, backers: null }, { rfqId, backers: [1] }],
      ...[{ ...outcomeOf(rfqOf(1)), backers: { [backer.address]: { outcome: 'later' } } }],
      ...[{ rfqId, backers: { [backer.address]: { hash, distance: 'far' } } }],
    ]) {
      bus.publish(subject, typeof payload === 'string' && payload.includes(' ') ? payload : JSON.stringify(payload))
    }
    await turn()
    expect(said(backer.received)).toEqual(['rfq 1'])
    const known = { [backer.address]: { hash, distance: 'beyond', outcome: 'best', added: 'later' } }
    bus.publish(
      subject,
      encodeJson({
        ...rfqOf(2),
        ...outcomeOf(rfqOf(1)),
        backers: known,
        added: 'later',
        rfqId: subject === 'rfq' ? rfqOf(2).rfqId : rfqId,
      }),
    )
    await turn()
    expect(backer.received).toHaveLength(2)
  },
)

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const takerRecord = { unfixedDebt: 1n, asked: 1, taken: 0 }

test.each<[string, Partial<RFQBroadcast>]>([
  ['a traceparent', { traceparent }],
  ['a record', { takerRecord }],
  ['both', { traceparent, takerRecord }],
  ['neither', {}],
])('behavior: each session sees the fields of %s that it may, immediately and when it joins', async (_, more) => {
  const { sessions, join } = start()
  const joinAll = () => [0, 1, 2, 3].map((index) => join(index, index >= 2))
  const early = joinAll()
  const rfq = { ...rfqOf(1), ...more }
  sessions.sendRfq(rfq)
  await turn()
  const late = joinAll()
  for (const index of [0, 1, 2, 3]) {
    const [told] = early[index]?.received ?? []
    for (const seen of [told, late[index]?.openRfqs[0]]) {
      expect(seen?.rfqId).toBe(rfq.rfqId)
      expect(seen?.traceparent).toBe(index >= 2 ? more.traceparent : undefined)
      expect(seen?.takerRecord !== undefined).toBe(index % 2 === 1 && more.takerRecord !== undefined)
    }
    expect(early[index]?.received).toHaveLength(1)
  }
  expect(late[0]?.traceOf(rfq.rfqId)).toBe(more.traceparent)
  expect(late[0]?.traceOf(rfqOf(2).rfqId)).toBeUndefined()
})
