import { once } from 'node:events'
import { type RFQBroadcast, toPublicRfqId } from '@firmquote/core'
import { closeCodes } from '@firmquote/core/protocol'
import { encodeJson } from '@firmquote/core/utils'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { type ListeningServer, listenForTest } from '../../../test/listenForTest.ts'
import { createScriptedService, testDomain, testRfq } from '../../../test/scriptedService.ts'
import { connectBacker } from '../../../test/socketClient.ts'
import { createInProcessBus } from '../../adapters/inProcessBus.ts'
import { createBackerSessions } from '../../app/auctions/backerSessions.ts'
import type { BackerSession } from '../../app/service.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import type { Bus } from '../../ports/bus.ts'

const account = privateKeyToAccount(`0x${'07'.repeat(32)}`)
const testBroadcast: RFQBroadcast = { ...testRfq, rfqId: publicRfqId(testRfq.rfqId) }

let running: ListeningServer | undefined
let bus: Bus | undefined
afterEach(async () => {
  await running?.close()
  await bus?.close()
})

describe('frames that bypass ws', () => {
  test('behavior: broadcasts, answers, pings and the close frame arrive complete and in order', async () => {
    bus = createInProcessBus({ onError: () => {} })
    const clock = createFakeClock()
    const sessions = createBackerSessions({
      bus,
      clock: createFakeClock(testRfq.openedAt),
      presence: { join: () => () => {} },
      funds: { joined() {}, cover: () => false },
    })
    const { service } = createScriptedService({ hub: { join: sessions.join } })
    running = await listenForTest({ service, domain: testDomain, clock })
    const backers = [await connectBacker(running.wsUrl, account), await connectBacker(running.wsUrl, account)]

    const rounds = 150
    const seen: string[][] = backers.map(() => [])
    let pings = 0
    for (const [index, { socket }] of backers.entries()) {
      socket.on('ping', () => {
        pings += 1
      })
      socket.removeAllListeners('message')
      socket.on('message', (data) => {
        const { type, id, expiry } = JSON.parse(String(data)) as { type: string; id?: string; expiry?: number }
        seen[index]?.push(`${type} ${id ?? expiry}`)
      })
    }
    for (let round = 0; round < rounds; round += 1) {
      // Frames with both header sizes and multi-byte characters.
      const reason = round % 3 === 0 ? { maxVrtAmount: 10n ** 60n } : {}
      // A backer receives each auction only once.
      const rfqId = toPublicRfqId(round.toString(16).padStart(32, '0'))
      sessions.broadcastRfq({ ...testBroadcast, ...reason, rfqId, expiry: round + 1 })
      for (const { socket } of backers) {
        socket.send(JSON.stringify({ type: 'ping', id: `é${round}` }))
        socket.ping()
      }
      if (round % 50 === 49) clock.advance(30_000)
      if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    while (seen.some((messages) => messages.length < 2 * rounds)) {
      await Promise.race(backers.map(({ socket }) => once(socket, 'message')))
    }
    for (const messages of seen) {
      const expected = (type: string, name: (round: number) => unknown) =>
        Array.from({ length: rounds }, (_, round) => `${type} ${name(round)}`)
      expect(messages.filter((message) => message.startsWith('rfq'))).toEqual(expected('rfq', (round) => round + 1))
      expect(messages.filter((message) => message.startsWith('pong'))).toEqual(expected('pong', (round) => `é${round}`))
    }
    expect(pings).toBeGreaterThan(0)
    sessions.broadcastRfq(testBroadcast)
    await new Promise((resolve) => setImmediate(resolve))
    const closing = running.close()
    for (const { closed } of backers) expect((await closed).code).toBe(1001)
    await closing
    for (const messages of seen) expect(messages.at(-1)).toBe(`rfq ${testRfq.expiry}`)
  })
})

describe('slow readers', () => {
  async function startSlow(limits: Parameters<typeof listenForTest>[0]['limits']) {
    const clock = createFakeClock()
    const { service, sessions } = createScriptedService()
    const server = await listenForTest({
      service,
      domain: testDomain,
      clock,
      limits: { pingIntervalMs: 100_000_000, ...limits },
    })
    running = server
    const backer = await connectBacker(server.wsUrl, account)
    backer.socket.pause()
    const [session] = sessions as Set<BackerSession>
    const closeCode = () => server.logs.find(({ msg }) => msg === 'socket closed')?.['closeCode']
    return { clock, sessions, session, backer, closeCode }
  }
  const filler = encodeJson({ type: 'pong', serverTime: 1, id: 'x'.repeat(16_384) })
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

  /** Sends more than the kernel's buffers hold. */
  async function fill(session: BackerSession | undefined) {
    for (let sent = 0; sent < 1_000; sent += 1) session?.send(filler)
    await turn()
  }

  test('error: one that reads nothing for 30 seconds is closed with slow_consumer', async () => {
    const { clock, sessions, session, backer, closeCode } = await startSlow({
      unreadBytes: 2 ** 30,
      closeGraceMs: 20_000,
    })
    await fill(session)
    clock.advance(29_999)
    await turn()
    expect(backer.socket.readyState).toBe(backer.socket.OPEN)
    expect(sessions.size).toBe(1)
    clock.advance(1)
    backer.socket.resume()
    expect(await backer.closed).toEqual({ code: closeCodes.slowConsumer, reason: 'slow_consumer' })
    while (closeCode() === undefined) await turn()
    expect(sessions.size).toBe(0)
  })

  test('error: one that does not read the close frame is terminated', async () => {
    const { clock, sessions, session, backer, closeCode } = await startSlow({ unreadBytes: 2 ** 30, closeGraceMs: 50 })
    await fill(session)
    clock.advance(30_000)
    while (sessions.size > 0) await turn()
    expect(closeCode()).toBe(1006)
    backer.socket.terminate()
  })

  test('behavior: a slow reader stays connected', async () => {
    const { clock, sessions, session, backer } = await startSlow({ unreadBytes: 2 ** 30 })
    for (let round = 0; round < 3; round += 1) {
      await fill(session)
      backer.socket.resume()
      await once(backer.socket, 'message')
      for (let index = 0; index < 20; index += 1) await turn()
      backer.socket.pause()
      clock.advance(30_000)
      await turn()
      expect(sessions.size).toBe(1)
    }
    backer.socket.resume()
    await backer.end()
  })

  test('error: a backer with more than a mebibyte unread is disconnected immediately', async () => {
    const { sessions, session, backer } = await startSlow({ closeGraceMs: 50 })
    await fill(session)
    while (sessions.size > 0) await turn()
    backer.socket.terminate()
  })
})
