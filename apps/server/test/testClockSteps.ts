import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { sharePostgres } from '@firmquote/cluster/sharePostgres'
import { startNats } from '@firmquote/cluster/startNats'
import { serializeSignedQuote } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { loadConfiguration } from '../src/start/configuration.ts'
import { type RunningServer, startServer } from '../src/start/startServer.ts'
import { type ReadEvent, readStream } from './readStream.ts'
import { signedQuote } from './realService.ts'
import { answerChallenge, openSocket } from './socketClient.ts'
import { createSteppedDatabase, type SteppedDatabase } from './steppedDatabase.ts'
import { waitUntil } from './waitUntil.ts'

/** What is stepped: the database's clock, one instance's clock, or the machine that runs everything. */
type Stepped = 'database' | 'instance' | 'machine'
/** Ages at which a step finds auctions, as parts of their duration. */
const ages = [0.6, 0.5, 0.4, 0.3, 0.2] as const
/** Error of a wrong clock, in milliseconds. The chain is ahead of it, but not by so much that quotes are refused. */
const wrongMs = -20_000

/** Options of {@link testClockSteps}. */
export type ClockSteps = {
  /** The number of auctions per step, in multiples of {@link ages}. */
  rounds: number
  /** Milliseconds of each step. */
  steps: readonly number[]
  /** The duration of an auction, and the tolerance for it. */
  durationMs: number
  toleranceMs: number
}

/**
 * Tests real servers whose clocks are stepped during auctions. Steps add up. Every auction must last its duration and
 * contain every quote, and limits, seats and results must survive.
 */
export function testClockSteps(options: ClockSteps): void {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ blockTime: 1 })
  }, 60_000)
  afterAll(() => devnet?.stop())
  describeServers(() => devnet, 1, ['machine'], options)
  if (findPostgres() && findNats()) {
    describeServers(() => devnet, 3, ['database', 'instance', 'machine'], options)
  }
}

function describeServers(
  devnet: () => Devnet,
  count: 1 | 3,
  stepped: readonly Stepped[],
  { rounds, steps, durationMs, toleranceMs }: ClockSteps,
): void {
  const cleanups: (() => unknown)[] = []
  /** The sum of the steps of each instance's clock. */
  const shifts = Array.from({ length: count }, () => 0)
  const servers: RunningServer[] = []
  /** The sum of the steps of the database's clock. */
  let databaseMs = 0
  let setDatabase: SteppedDatabase['set'] = async () => {}
  let query: SteppedDatabase['query'] = async () => []
  let environment: Record<string, string> = {}
  let salt = 0

  const start = (index: number, settings: Record<string, string> = {}) =>
    startServer(loadConfiguration({ ...environment, ...settings }), {
      log: pino({ level: 'silent' }),
      version: '0.0.0',
      clock: { ...systemClock, now: () => Date.now() + (shifts[index] ?? 0) },
    })
  const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>
  const healthOf = (server: RunningServer) => read(`${server.url}/api/v1/health`)
  const offsetOf = async (server: RunningServer) =>
    ((await healthOf(server)) as { clock: { offsetMs: number } }).clock.offsetMs
  const serverAt = (index: number): RunningServer => {
    const server = servers[index % count]
    if (!server) throw new RangeError('There is no server.')
    return server
  }
  const [isDone, isStarted] = ['done', 'started'].map(
    (name) =>
      ({ event }: ReadEvent) =>
        event === name,
  ) as [(event: ReadEvent) => boolean, (event: ReadEvent) => boolean]
  const openAuction = (server: RunningServer) =>
    fetch(`${server.url}/api/v1/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        poolId: devnet().pools[0].poolId,
        seriesKey: devnet().pools[0].series[0]?.seriesKey,
        notional: '1000000000',
      }),
    })
  const follow = async (server: RunningServer, rfqId: string) =>
    readStream(await fetch(`${server.url}/api/v1/rfq/${rfqId}/stream`), isDone)
  const step = async (what: Stepped, milliseconds: number, instance: number) => {
    for (const [index, shift] of shifts.entries()) {
      if (what === 'machine' || (what === 'instance' && index === instance)) shifts[index] = shift + milliseconds
    }
    if (what === 'instance') return
    databaseMs += milliseconds
    await setDatabase(databaseMs)
  }
  /** Makes the service's time wrong, although the reference clock is right. */
  const beWrong = async () => {
    if (count === 3) {
      await query(`update group_clock set offset_ms = ${wrongMs}`)
      return
    }
    await servers.pop()?.stop()
    shifts[0] = wrongMs
    // With its old log, the server would know that this time is wrong.
    servers.push(await start(0, { DATA_DIR: `${environment['DATA_DIR']}-new` }))
    shifts[0] = 0
  }
  const connect = async (server: RunningServer, maker: 0 | 1 | 2) => {
    const account = privateKeyToAccount(devnet().backers[maker].privateKey)
    const socket = openSocket(`${server.url.replace('http', 'ws')}/ws/rfq`)
    const challenge = await socket.next('auth_challenge')
    const timestamp = Math.floor(challenge.serverTime / 1_000)
    socket.send(await answerChallenge(challenge, account, { timestamp }))
    await socket.next('authenticated')
    let answered: Promise<unknown> = Promise.resolve()
    return {
      ...socket,
      /** Sends a valid quote and returns its hash once it is accepted. Waits for earlier quotes' answers. */
      quote(rfqId: string): Promise<string> {
        const hash = answered.then(() => sendQuote(rfqId))
        answered = hash.catch(() => {})
        return hash
      },
    }
    async function sendQuote(rfqId: string): Promise<string> {
      salt += 1
      const seriesKey = devnet().pools[0].series[0]?.seriesKey ?? '0x'
      const quote = await signedQuote(devnet(), devnet().backers[maker], {
        seriesKey,
        salt: numberToHex(salt, { size: 32 }),
      })
      socket.send({ type: 'quote', rfqId, quote: serializeSignedQuote(quote) })
      const ack = await socket.next('quote_ack')
      if (ack.status !== 'accepted') throw new TypeError(`The quote was refused: ${JSON.stringify(ack)}`)
      return ack.hash
    }
  }

  describe(count === 1 ? 'one server on SQLite' : 'three servers on PostgreSQL', () => {
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'firmquote-clocks-'))
      cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
      environment = {
        ...{ RPC_URL: devnet().rpcUrl, PORT: '0', SIGNATURE_THREADS: '1', AUCTION_DURATION_MS: String(durationMs) },
        ...{ PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq', DATA_DIR: join(folder, 'data'), SOCKETS_PER_BACKER: '1' },
        ...{ RFQS_PER_MINUTE: '1000000', OPEN_RFQS: '100', HEAD_DEGRADED_SECONDS: '30', HEAD_STALE_SECONDS: '60' },
      }
      if (count === 3) {
        const database = await createSteppedDatabase(await sharePostgres())
        const nats = await startNats({ folder })
        cleanups.push(() => nats.stop())
        setDatabase = database.set
        query = database.query
        environment = { ...environment, DATABASE_URL: database.url, NATS_URL: nats.url }
      }
      for (let index = 0; index < count; index += 1) servers.push(await start(index))
    }, 60_000)
    // A failed test leaves its steps.
    beforeEach(async () => {
      shifts.fill(0)
      databaseMs = 0
      await setDatabase(0)
      for (const server of servers) await waitUntil(async () => Math.abs(await offsetOf(server)) < toleranceMs)
    })
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()))
      for (const cleanup of cleanups.reverse()) await cleanup()
    }, 30_000)

    test(
      'behavior: auctions last their duration and contain every quote; seats and results survive',
      async () => {
        const makers = await Promise.all(([0, 1, 2] as const).map((maker) => connect(serverAt(maker), maker)))
        const [first, second, third] = makers
        if (!first || !second || !third) throw new TypeError('A maker is missing.')
        const results = new Map<string, unknown>()
        const open = async (server: RunningServer) => {
          const started = readStream(await openAuction(server), isStarted)
          const [rfqs, [event]] = await Promise.all([Promise.all(makers.map((maker) => maker.next('rfq'))), started])
          const openedAt = performance.now()
          const [rfqId, publicId] = [String(event?.data['rfqId']), rfqs[0]?.rfqId ?? '']
          const at = (after: number) => setTimeout(openedAt + after - performance.now())
          return { rfqId, publicId, event, at, early: follow(server, rfqId), hashes: [await first.quote(publicId)] }
        }
        const plan = Array.from({ length: Math.ceil(rounds / ages.length) }, () =>
          stepped.flatMap((what) => steps.map((milliseconds) => ({ what, milliseconds }))),
        ).flat()
        for (const [round, { what, milliseconds }] of plan.entries()) {
          // Auctions of different ages, so that one step tests them all.
          const auctions: Awaited<ReturnType<typeof open>>[] = []
          const startedAt = performance.now()
          for (const [index, age] of ages.entries()) {
            await setTimeout(startedAt + durationMs * (ages[0] - age) - performance.now())
            auctions.push(await open(serverAt(round + index)))
          }
          await setTimeout(startedAt + durationMs * ages[0] - performance.now())
          await step(what, milliseconds, round)
          await Promise.all(
            auctions.map(async ({ rfqId, publicId, event, at, early, hashes }, index) => {
              const server = round + index
              hashes.push(await second.quote(publicId))
              const late = [1, 2].map((other) => follow(serverAt(server + other), rfqId))
              await at(durationMs - 1.6 * toleranceMs)
              hashes.push(await third.quote(publicId))
              for (const events of await Promise.all([early, ...late])) {
                const lasted = (events.at(-1)?.at ?? 0) - (event?.at ?? 0)
                const quotes = events.filter((one) => one.event === 'quote').map(({ data }) => data['hash'])
                const isInTime = Math.abs(lasted - durationMs) <= toleranceMs
                expect({ what, milliseconds, lasted, isInTime, quotes }).toEqual({
                  ...{ what, milliseconds, lasted, isInTime: true },
                  quotes: hashes,
                })
              }
              results.set(rfqId, await read(`${serverAt(server).url}/api/v1/rfq/${rfqId}`))
              expect(results.get(rfqId)).toMatchObject({ status: 'closed', closedAt: expect.any(Number) })
            }),
          )
          // The step was detected, and the service's time, the chain and the seats are as before.
          for (const server of servers) {
            const health = await healthOf(server)
            expect(health).toMatchObject({ status: 'ok', backers: { connected: 3 }, auctions: { open: 0 } })
            expect(Math.abs(Number(health['serverTime']) - Date.now())).toBeLessThan(toleranceMs)
          }
          const offsetsOf = () => Promise.all(servers.map(offsetOf))
          // Another instance reads the offset within a second.
          await waitUntil(async () => new Set(await offsetsOf()).size === 1)
          if (what === 'instance') continue
          expect(Math.abs((await offsetOf(serverAt(0))) + sumOf(plan.slice(0, round + 1)))).toBeLessThan(toleranceMs)
        }
        for (const [rfqId, result] of results) {
          for (const server of servers) expect(await read(`${server.url}/api/v1/rfq/${rfqId}`)).toEqual(result)
        }
        for (const maker of makers) await maker.end()
      },
      60_000 + Math.ceil(rounds / ages.length) * steps.length * stepped.length * (2 * durationMs + 5_000),
    )

    test('behavior: a wrong clock that is corrected is followed once no auction is open', async () => {
      await beWrong()
      const timeOf = async (server: RunningServer) => Number((await healthOf(server))['serverTime']) - Date.now()
      for (const server of servers) {
        await waitUntil(async () => Math.abs((await timeOf(server)) - wrongMs) < toleranceMs)
      }
      const expectInTime = async (opener: number, before = async () => {}) => {
        const [event] = await readStream(await openAuction(serverAt(opener)), isStarted)
        const followers = servers.map((server) => follow(server, String(event?.data['rfqId'])))
        await before()
        for (const events of await Promise.all(followers)) {
          expect(Math.abs((events.at(-1)?.at ?? 0) - (event?.at ?? 0) - durationMs)).toBeLessThanOrEqual(toleranceMs)
        }
      }
      await expectInTime(0, async () => {
        await setTimeout(durationMs - 1.6 * toleranceMs)
        for (const server of servers) expect(Math.abs((await timeOf(server)) - wrongMs)).toBeLessThan(toleranceMs)
      })
      await waitUntil(async () => Math.abs(await timeOf(serverAt(0))) < toleranceMs)
      // Another instance may not have followed yet.
      await Promise.all(servers.map((_, index) => expectInTime(index)))
      for (const server of servers) {
        expect(Math.abs(await timeOf(server))).toBeLessThan(toleranceMs)
        expect(await offsetOf(server)).toBe(0)
      }
    }, 60_000)

    if (count === 1) return
    test("behavior: an instance that starts after a step agrees with the others' time and limits", async () => {
      const [event] = await readStream(await openAuction(serverAt(0)), isStarted)
      const closing = follow(serverAt(0), String(event?.data['rfqId']))
      await step('database', 3_600_000, 0)
      await waitUntil(async () => (await offsetOf(serverAt(0))) < -3_500_000)
      const later = await start(count, { RFQS_PER_MINUTE: '1' })
      try {
        expect(Math.abs(Number((await healthOf(later))['serverTime']) - Date.now())).toBeLessThan(toleranceMs)
        for (const milliseconds of [0, -7_200_000, 3_600_000]) {
          await step('database', milliseconds, 0)
          const refused = await openAuction(later)
          expect([refused.status, Number(refused.headers.get('retry-after')) <= 60]).toEqual([429, true])
        }
        await closing
      } finally {
        await later.stop()
      }
    }, 60_000)
  })
}

/** The steps of the reference clock, in milliseconds. An instance's clock has no effect. */
function sumOf(plan: readonly { what: Stepped; milliseconds: number }[]): number {
  return plan.reduce((sum, { what, milliseconds }) => sum + (what === 'instance' ? 0 : milliseconds), 0)
}
