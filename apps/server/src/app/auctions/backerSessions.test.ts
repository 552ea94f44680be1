import { type RFQBroadcast, toPublicRfqId } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { createInProcessBus } from '../../adapters/inProcessBus.ts'
import { createFakeClock } from '../../testing/fakeClock.ts'
import { testBroadcast } from '../../testing/scriptedService.ts'
import { createBackerSessions } from './backerSessions.ts'

type Told = { type: string; rfqId: string; own?: { rank: number } }

function start() {
  const clock = createFakeClock()
  const bus = createInProcessBus({
    onError: (error) => {
      throw error
    },
  })
  const sessions = createBackerSessions({ bus, clock })
  const join = (index: number) => {
    const told: Told[] = []
    const address = `0x${index.toString(16).padStart(40, '0')}` as const
    const { openRfqs, leave } = sessions.join({ address, send: (frame) => told.push(JSON.parse(frame) as Told) })
    return { address, told, openRfqs, leave }
  }
  return { sessions, join }
}

const rfqOf = (index: number): RFQBroadcast => ({
  ...testBroadcast,
  rfqId: toPublicRfqId(index.toString(16).padStart(32, '0')),
})
const outcomeOf = ({ rfqId }: RFQBroadcast, own = {}) => ({ rfqId, closedAt: 1_300, quoteCount: 1, own })
const turn = () => new Promise((resolve) => setImmediate(resolve))
const many = 1_000

test('behavior: who joins or leaves while thousands are told gets each RFQ exactly once', async () => {
  const { sessions, join } = start()
  const backers = Array.from({ length: many }, (_, index) => join(index))
  const [first, second] = [rfqOf(1), rfqOf(2)]
  sessions.announce(first)
  sessions.announce(second)
  // The bus has delivered both; most backers still wait for the first.
  await Promise.resolve()
  const last = backers.at(-1)
  expect(last?.told).toEqual([])

  const late = join(many)
  expect(late.openRfqs.map(({ rfqId }) => rfqId)).toEqual([first.rfqId, second.rfqId])
  backers[many - 2]?.leave()
  const again = join(many - 2)
  expect(again.openRfqs).toHaveLength(2)

  sessions.conclude(outcomeOf(first))
  await turn()
  await sessions.told()
  const rfqs = (told: Told[]) => told.map(({ type, rfqId }) => `${type} ${Number(rfqId)}`)
  expect(rfqs(last?.told ?? [])).toEqual(['rfq 1', 'rfq 2', 'auction_result 1'])
  expect(rfqs(backers[0]?.told ?? [])).toEqual(['rfq 1', 'rfq 2', 'auction_result 1'])
  for (const { told } of [late, again]) expect(rfqs(told)).toEqual(['auction_result 1'])
})

test('behavior: each hears its own place, and all others read the same text', async () => {
  const { sessions, join } = start()
  const backers = Array.from({ length: 4 }, (_, index) => join(index))
  const own = { [backers[2]?.address ?? '']: { hash: `0x${'55'.repeat(32)}`, rank: 1 } }
  sessions.conclude(outcomeOf(testBroadcast, own))
  await turn()
  expect(backers.map(({ told }) => told[0]?.own?.rank)).toEqual([undefined, undefined, 1, undefined])
})
