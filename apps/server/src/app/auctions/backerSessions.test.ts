import { type RFQBroadcast, toPublicRfqId } from '@firmquote/core'
import { createFakeClock } from '@firmquote/testing/fakeClock'
import { expect, test } from '@jest/globals'
import { createInProcessBus } from '../../adapters/inProcessBus.ts'
import { testRfq } from '../../testing/scriptedService.ts'
import { createBackerSessions } from './backerSessions.ts'

type Message = { type: string; rfqId: string; own?: { rank: number } }

function start() {
  const clock = createFakeClock()
  const bus = createInProcessBus({
    onError: (error) => {
      throw error
    },
  })
  const sessions = createBackerSessions({ bus, clock })
  const join = (index: number) => {
    const received: Message[] = []
    const address = `0x${index.toString(16).padStart(40, '0')}` as const
    const { openRfqs, leave } = sessions.join({ address, send: (frame) => received.push(JSON.parse(frame) as Message) })
    return { address, received, openRfqs, leave }
  }
  return { sessions, join }
}

const rfqOf = (index: number): RFQBroadcast => ({
  ...testRfq,
  rfqId: toPublicRfqId(index.toString(16).padStart(32, '0')),
})
const outcomeOf = ({ rfqId }: RFQBroadcast, own = {}) => ({ rfqId, closedAt: 1_300, quoteCount: 1, own })
const turn = () => new Promise((resolve) => setImmediate(resolve))
const many = 1_000

test('behavior: a session that joins or leaves during a broadcast gets each RFQ exactly once', async () => {
  const { sessions, join } = start()
  const backers = Array.from({ length: many }, (_, index) => join(index))
  const [first, second] = [rfqOf(1), rfqOf(2)]
  sessions.broadcastRfq(first)
  sessions.broadcastRfq(second)
  // The bus has delivered both; the first has not been sent to most backers yet.
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
  const rfqs = (received: Message[]) => received.map(({ type, rfqId }) => `${type} ${Number(rfqId)}`)
  expect(rfqs(last?.received ?? [])).toEqual(['rfq 1', 'rfq 2', 'auction_result 1'])
  expect(rfqs(backers[0]?.received ?? [])).toEqual(['rfq 1', 'rfq 2', 'auction_result 1'])
  for (const { received } of [late, again]) expect(rfqs(received)).toEqual(['auction_result 1'])
})

test('behavior: each ranked backer gets its own rank, and no other', async () => {
  const { sessions, join } = start()
  const backers = Array.from({ length: 4 }, (_, index) => join(index))
  const own = { [backers[2]?.address ?? '']: { hash: `0x${'55'.repeat(32)}`, rank: 1 } }
  sessions.broadcastOutcome(outcomeOf(rfqOf(1), own))
  await turn()
  expect(backers.map(({ received }) => received[0]?.own?.rank)).toEqual([undefined, undefined, 1, undefined])
})
