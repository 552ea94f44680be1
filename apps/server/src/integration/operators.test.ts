import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { sharePostgres } from '@firmquote/cluster/sharePostgres'
import { startNats } from '@firmquote/cluster/startNats'
import { serializeSignedQuote } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { callSocket } from '@firmquote/node-runtime/socket/callSocket'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { type ReadEvent, readStream } from '../../test/readStream.ts'
import { signedQuote } from '../../test/realService.ts'
import { waitUntil } from '../../test/waitUntil.ts'
import { loadConfiguration } from '../start/configuration.ts'
import { type RunningServer, startServer } from '../start/startServer.ts'

const message = 'The price feed is being replaced.'
/** A change is effective everywhere within a second: instances poll every 500 ms. A busy machine needs longer. */
const withinMs = 3_000

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet()
}, 60_000)
afterAll(() => devnet?.stop())

describeServers(1)
if (findPostgres() && findNats()) describeServers(3)

function describeServers(count: 1 | 3): void {
  const cleanups: (() => unknown)[] = []
  const servers: RunningServer[] = []
  let folder: string
  const socketOf = (index: number) => join(folder, `${index}.sock`)
  const admin = (index: number, method: string, params: Record<string, unknown>) =>
    callSocket({ socketPath: socketOf(index), program: 'server', method, params })

  type Answer = { status: number; body: Record<string, unknown> }
  const ask = async (server: RunningServer, path: string, body?: object, key?: string): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) }
    const sent = body && { method: 'POST', headers, body: encodeJson(body) }
    const response = await fetch(`${server.url}/api/v1${path}`, sent)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const market = () => ({ poolId: devnet.pools[0].poolId, seriesKey: devnet.pools[0].series[0]?.seriesKey ?? '0x' })
  /** An RFQ below the minimum notional, which opens no auction. */
  const rfqCode = async (server: RunningServer, key?: string) => {
    const { body } = await ask(server, '/rfq/quote', { ...market(), notional: '1' }, key)
    return body['code']
  }
  const listed = async (server: RunningServer) => {
    const { body } = await ask(server, `/quotes?sort=rate&poolId=${market().poolId}`)
    return (body['quotes'] as unknown[]).length
  }
  /** Runs a command on one instance, and returns the longest time until all instances show its effect. */
  const timed = async (command: () => Promise<unknown>, isDone: (server: RunningServer) => Promise<boolean>) => {
    await command()
    const startedAt = performance.now()
    await Promise.all(servers.map((server) => waitUntil(() => isDone(server))))
    return performance.now() - startedAt
  }

  describe(count === 1 ? 'one server on SQLite' : 'three servers on PostgreSQL', () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fq-'))
      cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
      let environment: Record<string, string> = {
        ...{ RPC_URL: devnet.rpcUrl, PORT: '0', SIGNATURE_THREADS: '1', AUCTION_DURATION_MS: '3000' },
        ...{ PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq', DATA_DIR: join(folder, 'data'), RFQS_PER_MINUTE: '100000' },
        // This chain mines only on transactions, so its newest block may be old.
        ...{ HEAD_DEGRADED_SECONDS: '3600', HEAD_STALE_SECONDS: '3600', SYNC_INTERVAL_MS: '100' },
      }
      if (count === 3) {
        const postgres = await sharePostgres()
        const nats = await startNats({ folder })
        cleanups.push(() => nats.stop())
        environment = { ...environment, DATABASE_URL: await postgres.createDatabase(), NATS_URL: nats.url }
      }
      for (let index = 0; index < count; index += 1) {
        const configuration = loadConfiguration({ ...environment, ADMIN_SOCKET: socketOf(index) })
        servers.push(await startServer(configuration, { log: pino({ level: 'silent' }), version: '0.0.0' }))
      }
    }, 60_000)
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()))
      for (const cleanup of cleanups.reverse()) await cleanup()
    }, 30_000)

    test('behavior: halts and resumes everywhere; an open auction finishes', async () => {
      const { poolId, seriesKey } = market()
      const [first = servers[0], last = first] = [servers[0], servers.at(-1)]
      if (!first || !last) throw new RangeError('There is no server.')
      const quote = serializeSignedQuote(await signedQuote(devnet, devnet.backers[0], { seriesKey }))
      await waitUntil(async () => [200, 201].includes((await ask(first, '/quotes', quote)).status))
      await Promise.all(servers.map((server) => waitUntil(async () => (await listed(server)) === 1)))
      const opened = await fetch(`${last.url}/api/v1/rfq/quote/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...market(), notional: '1000000000' }),
      })
      const stream = readStream(opened, ({ event }: ReadEvent) => event === 'done')

      const isHalted = async (server: RunningServer) =>
        (await rfqCode(server)) === 'MARKET_HALTED' && (await listed(server)) === 0
      const isOpen = async (server: RunningServer) =>
        (await rfqCode(server)) === 'NOTIONAL_TOO_SMALL' && (await listed(server)) === 1
      const targets = [
        ['pools', { poolId }],
        ['series', { seriesKey }],
      ] as const
      for (const [name, target] of targets) {
        const halt = () => admin(0, `${name}.halt`, { who: 'ana', ...target, why: 'oracle', message })
        expect(await timed(halt, isHalted)).toBeLessThan(withinMs)
        expect(await ask(last, '/rfq/quote', { ...market(), notional: '1000000000' })).toMatchObject({
          status: 422,
          body: { code: 'MARKET_HALTED', detail: expect.stringContaining(message), details: { message } },
        })
        const other = serializeSignedQuote(await signedQuote(devnet, devnet.backers[1], { seriesKey }))
        expect(await ask(last, '/quotes', other)).toMatchObject({ status: 422, body: { code: 'MARKET_HALTED' } })
        expect((await ask(last, '/health')).body).toMatchObject({ halts: [{ ...target, message }] })
        const resume = () => admin(count - 1, `${name}.resume`, { who: 'ana', ...target })
        expect(await timed(resume, isOpen)).toBeLessThan(withinMs)
      }
      const refusesAll = async (server: RunningServer) => (await rfqCode(server)) === 'MARKET_HALTED'
      expect(await timed(() => admin(0, 'rfqs.halt', { who: 'ana', message }), refusesAll)).toBeLessThan(withinMs)
      expect(await listed(last)).toBe(1)
      expect((await ask(last, `/pools/rates?poolId=${poolId}`)).body).toMatchObject({
        pools: [{ series: expect.arrayContaining([expect.objectContaining({ halted: expect.anything() })]) }],
      })
      expect(await timed(() => admin(0, 'rfqs.resume', { who: 'ana' }), isOpen)).toBeLessThan(withinMs)
      expect((await stream).at(-1)).toMatchObject({ event: 'done' })
      const { entries } = (await admin(count - 1, 'audit', { limit: 6 })) as {
        entries: { command: string; who: string }[]
      }
      const commands = ['pools halt', 'pools resume', 'series halt', 'series resume', 'rfqs halt', 'rfqs resume']
      expect(entries.map(({ command, who }) => `${who}: ${command}`).reverse()).toEqual(
        commands.map((command) => `ana: ${command}`),
      )
    }, 60_000)

    test('behavior: limits and keys change everywhere', async () => {
      const who = 'ana'
      const rfqsPerMinute = async (server: RunningServer) =>
        ((await ask(server, '/config')).body['limits'] as { rfqsPerMinute: number }).rfqsPerMinute
      const set = () => admin(0, 'limits.set', { who, name: 'RFQS_PER_MINUTE', value: 50_000 })
      expect(await timed(set, async (server) => (await rfqsPerMinute(server)) === 50_000)).toBeLessThan(withinMs)
      const reset = () => admin(count - 1, 'limits.reset', { who, name: 'RFQS_PER_MINUTE' })
      expect(await timed(reset, async (server) => (await rfqsPerMinute(server)) === 100_000)).toBeLessThan(withinMs)

      let key = ''
      const issue = async () => {
        const issued = await admin(0, 'keys.issue', { who, name: 'acme', perMinute: 600, open: 100 })
        key = (issued as { key: string }).key
      }
      const accepts = async (server: RunningServer) => (await rfqCode(server, key)) === 'NOTIONAL_TOO_SMALL'
      const refuses = async (server: RunningServer) => (await rfqCode(server, key)) === 'INVALID_REQUEST'
      expect(await timed(issue, accepts)).toBeLessThan(withinMs)
      const revoke = () => admin(count - 1, 'keys.revoke', { who, key: 'acme', why: 'leaked' })
      expect(await timed(revoke, refuses)).toBeLessThan(withinMs)
      const { entries } = (await admin(0, 'audit', { limit: 4 })) as { entries: { command: string }[] }
      expect(entries.map(({ command }) => command)).toEqual(['keys revoke', 'keys issue', 'limits reset', 'limits set'])
    }, 60_000)
  })
}
