import { toPublicRfqId } from '@firmquote/core'
import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { testRfq } from '../../../test/scriptedService.ts'
import { maker, other } from '../../../test/storedQuotes.ts'
import { createInProcessBus } from '../../adapters/inProcessBus.ts'
import type { Bus } from '../../ports/bus.ts'
import { type BackerSessions, createBackerSessions } from './backerSessions.ts'

let clock: FakeClock
let sessions: BackerSessions
let bus: Bus
let errors: unknown[]
beforeEach(() => {
  clock = createFakeClock()
  errors = []
  bus = createInProcessBus({ onError: (error) => void errors.push(error) })
  sessions = createBackerSessions({
    bus,
    clock,
    presence: { join: () => () => {} },
    funds: { joined() {}, cover: () => false },
  })
})

const rfqOf = (number: number) => ({ ...testRfq, rfqId: toPublicRfqId(number.toString(16).padStart(32, '0')) })
/** Milliseconds for which an RFQ is remembered. */
const knownMs = testRfq.closesAt - testRfq.openedAt + 5_000
const turn = () => new Promise((resolve) => setImmediate(resolve))
/** Connects a backer. `told` collects the numbers of the RFQs sent to the backer. */
function join(address = maker) {
  const told: number[] = []
  const send = (frame: string) => told.push(Number(`0x${(JSON.parse(frame) as { rfqId: string }).rfqId}`))
  return { told, ...sessions.join({ address, send }) }
}

describe('a session that leaves', () => {
  test('default: it receives no more messages; its backer counts until its last session leaves', () => {
    const [first, second, third] = [join(), join(maker.toLowerCase() as typeof maker), join(other)]
    expect(sessions.count()).toBe(2)
    first.leave()
    expect(sessions.count()).toBe(2)
    second.leave()
    expect(sessions.count()).toBe(1)
    sessions.sendRfq(rfqOf(1))
    expect([first.told, second.told, third.told]).toEqual([[], [], [1]])
  })

  test('behavior: it receives no outcome, and an absent backer affects no one else', () => {
    const [first, second] = [join(), join()]
    first.leave()
    const { rfqId } = rfqOf(1)
    sessions.sendOutcome({
      rfqId,
      closedAt: 1,
      quoteCount: 2,
      backers: {
        [other.toLowerCase()]: { outcome: 'best', hash: `0x${'55'.repeat(32)}` },
        [maker.toLowerCase()]: { outcome: 'close', hash: `0x${'66'.repeat(32)}` },
      },
    })
    expect([first.told, second.told]).toEqual([[], [1]])
  })

  test('behavior: leaving twice does not affect a later session', () => {
    const first = join()
    first.leave()
    const second = join()
    first.leave()
    expect(sessions.count()).toBe(1)
    second.leave()
    expect(sessions.count()).toBe(0)
  })
})

describe('the memory of messages', () => {
  test('behavior: an RFQ is known until exactly five seconds after its close', () => {
    sessions.sendRfq(rfqOf(1))
    clock.advance(knownMs)
    sessions.sendRfq(rfqOf(2))
    const backer = join()
    sessions.sendRfq(rfqOf(1))
    expect(backer.told).toEqual([])
  })

  test('behavior: an outcome is remembered for five seconds, with or without its RFQ', async () => {
    const backer = join()
    sessions.broadcastOutcome({ rfqId: rfqOf(1).rfqId, closedAt: 1, quoteCount: 0, backers: {} })
    await turn()
    sessions.sendRfq(rfqOf(2))
    clock.advance(5_000)
    sessions.sendRfq(rfqOf(3))
    sessions.sendRfq(rfqOf(1))
    expect(backer.told).toEqual([2, 3])
  })

  test('error: an invalid RFQ is not sent', async () => {
    const backer = join()
    bus.publish('rfq', '{"rfqId":1}')
    await turn()
    expect([backer.told, errors, join().openRfqs]).toEqual([[], [], []])
  })
})
