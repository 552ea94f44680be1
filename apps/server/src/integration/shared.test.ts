import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type SharedPostgres, sharePostgres } from '@firmquote/cluster/sharePostgres'
import { type Nats, startNats } from '@firmquote/cluster/startNats'
import { serializeSignedQuote } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { type Program, startProgram } from '@firmquote/test-support/startProgram'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { type ReadEvent, readStream } from '../../test/readStream.ts'
import { signedQuote } from '../../test/realService.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'
import { migrate } from '../adapters/postgresStore/migrate.ts'
import { migrations } from '../adapters/postgresStore/migrations.ts'
import { loadConfiguration } from '../start/configuration.ts'
import { startServer } from '../start/startServer.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

const given = findPostgres() && findNats() ? describe : describe.skip
given('firmquote-server with a database that instances share', () => {
  let devnet: Devnet
  let postgres: SharedPostgres
  let nats: Nats
  const folders: string[] = []
  const programs = new Set<Program>()
  beforeAll(async () => {
    for (let made = 0; made < 2; made += 1) folders.push(mkdtempSync(join(tmpdir(), 'firmquote-shared-')))
    const [forNats = ''] = folders
    ;[devnet, postgres, nats] = await Promise.all([startDevnet(), sharePostgres(), startNats({ folder: forNats })])
  }, 60_000)
  afterEach(async () => {
    for (const { child, ended } of programs) {
      child.kill('SIGKILL')
      await ended
    }
    programs.clear()
  })
  afterAll(async () => {
    await Promise.all([devnet?.stop(), nats?.stop()])
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const start = (environment: Record<string, string>, args: readonly string[] = []) => {
    const program = startProgram(main, args, {
      PORT: '0',
      RPC_URL: devnet.rpcUrl,
      DATA_DIR: join(folders[1] ?? '', 'data'),
      HEAD_DEGRADED_SECONDS: '3600',
      HEAD_STALE_SECONDS: '3600',
      AUCTION_DURATION_MS: '500',
      ...environment,
    })
    programs.add(program)
    return { ...program, ready: async () => (await program.says(/^ready (http:\/\/\S+)$/m))[1] ?? '' }
  }
  const passwordOf = (url: string) => new URL(url).password
  const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>

  test('default: two instances that start concurrently agree on an auction; the directory is not used', async () => {
    const environment = { DATABASE_URL: await postgres.createDatabase(), NATS_URL: nats.url, LOG_LEVEL: 'trace' }
    const servers = [start(environment), start(environment)]
    const [one = '', two = ''] = await Promise.all(servers.map(({ ready }) => ready()))
    // On a busy machine, writes may be slow for a moment, which the health endpoint reports.
    for (const url of [one, two]) {
      await waitUntil(async () => (await read(`${url}/api/v1/health`))['status'] === 'ok')
      expect(await read(`${url}/api/v1/health`)).toMatchObject({ database: 'ok' })
    }
    const [{ poolId, series }] = devnet.pools
    const opened = await fetch(`${one}/api/v1/rfq/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poolId, seriesKey: series[0]?.seriesKey, notional: '1000000000' }),
    })
    const result = (await opened.json()) as { rfqId: string }
    expect(opened.status).toBe(200)
    // The other instance has received a hint about the close, or polls within a second.
    await waitUntil(async () => (await read(`${two}/api/v1/rfq/${result.rfqId}`))['closedAt'] !== null)
    expect(await read(`${two}/api/v1/rfq/${result.rfqId}`)).toEqual(result)
    expect(await (await fetch(`${two}/metrics`)).text()).toMatch(/^firmquote_nats_connected 1$/m)
    for (const { child } of servers) child.kill('SIGTERM')
    expect(await Promise.all(servers.map(({ ended }) => ended))).toEqual([0, 0])
    const written = servers.map(({ output }) => output()).join('')
    expect(written).toContain('connected to NATS')
    expect(written).not.toContain(passwordOf(environment.DATABASE_URL))
    expect(written).not.toContain(new URL(nats.url).username)
    expect(() => rmSync(join(folders[1] ?? '', 'data'))).toThrow('ENOENT')
  }, 60_000)

  test('behavior: every instance counts the makers of all instances', async () => {
    const environment = {
      ...{ DATABASE_URL: await postgres.createDatabase(), NATS_URL: nats.url },
      AUCTION_DURATION_MS: '15000',
    }
    const servers = [start(environment), start(environment), start(environment)]
    const urls = await Promise.all(servers.map(({ ready }) => ready()))
    for (const url of urls) await waitUntil(async () => (await read(`${url}/api/v1/health`))['status'] === 'ok')
    const connect = (place: number, maker: number) =>
      connectBacker(
        `${urls[place]?.replace('http', 'ws')}/ws/rfq`,
        privateKeyToAccount(devnet.backers[maker as 0 | 1 | 2].privateKey),
      )
    const open = async (place: number) => {
      const [{ poolId, series }] = devnet.pools
      return fetch(`${urls[place]}/api/v1/rfq/quote/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ poolId, seriesKey: series[0]?.seriesKey, notional: '1000000000' }),
      })
    }
    // The first maker is connected to two instances.
    const makers = await Promise.all([connect(0, 0), connect(1, 1), connect(2, 2), connect(2, 0)])
    const heard = async () => (await Promise.all(makers.map((maker) => maker.next('rfq'))))[0]?.rfqId ?? ''
    const first = await open(1)
    const firstId = await heard()
    for (const maker of makers) {
      maker.send({ type: 'decline', rfqId: firstId })
      maker.send({ type: 'ping' })
      // The maker's own instance has counted the decline.
      await maker.next('pong')
    }
    await first.body?.cancel()

    const opened = await open(0)
    const rfqId = await heard()
    makers[0].send({ type: 'decline', rfqId })
    makers[1].send({ type: 'decline', rfqId })
    makers[2].send({
      type: 'quote',
      rfqId,
      quote: serializeSignedQuote(
        await signedQuote(devnet, devnet.backers[2], { seriesKey: devnet.pools[0].series[0]?.seriesKey ?? '0x' }),
      ),
    })
    const isAll = ({ data }: ReadEvent) => data['answered'] === 3
    const events = await readStream(opened, isAll)
    const followed = await Promise.all(
      urls.map(async (url) => readStream(await fetch(`${url}/api/v1/rfq/${events[0]?.data['rfqId']}/stream`), isAll)),
    )
    for (const seen of [events, ...followed]) {
      expect(seen.at(-1)).toMatchObject({ event: 'progress', data: { answered: 3, expected: 3 } })
      expect(seen.filter(({ event }) => event === 'quote')).toHaveLength(1)
    }
    for (const maker of makers) await maker.end()
  }, 60_000)

  test('behavior: instances whose clocks are 8 s apart tell the same times, of which the database’s clock decides', async () => {
    const durationMs = 2_000
    const databaseUrl = await postgres.createDatabase()
    const environment = {
      ...{ DATABASE_URL: databaseUrl, NATS_URL: nats.url, RPC_URL: devnet.rpcUrl, PORT: '0', SIGNATURE_THREADS: '1' },
      ...{ AUCTION_DURATION_MS: String(durationMs), HEAD_DEGRADED_SECONDS: '3600', HEAD_STALE_SECONDS: '3600' },
      PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq',
    }
    const startOff = (milliseconds: number) =>
      startServer(loadConfiguration(environment), {
        log: pino({ level: 'silent' }),
        version: '0.0.0',
        clock: { ...systemClock, now: () => Date.now() + milliseconds },
      })
    const databaseTime = async () => {
      const [row] = await postgres.query(
        'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
        databaseUrl,
      )
      return Number(row?.['now'])
    }
    const servers = [await startOff(8_000), await startOff(0)] as const
    try {
      for (const [here, there] of [servers, [servers[1], servers[0]]] as const) {
        const [{ poolId, series }] = devnet.pools
        const line = await connectBacker(
          `${there.url.replace('http', 'ws')}/ws/rfq`,
          privateKeyToAccount(devnet.backers[0].privateKey),
        )
        const before = await databaseTime()
        const opened = fetch(`${here.url}/api/v1/rfq/quote`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ poolId, seriesKey: series[1]?.seriesKey, notional: '2000000000' }),
        })
        const rfq = await line.next('rfq')
        const after = await databaseTime()
        expect(rfq.openedAt).toBeGreaterThan(before - 100)
        expect(rfq.openedAt).toBeLessThan(after + 100)
        expect(rfq.closesAt).toBe(rfq.openedAt + durationMs)
        const quote = await signedQuote(devnet, devnet.backers[0], { notional: 2_000_000_000n, vrtAmount: 9_000_000n })
        line.send({ type: 'quote', rfqId: rfq.rfqId, quote: serializeSignedQuote(quote) })
        expect(await line.next('quote_ack')).toMatchObject({ status: 'accepted' })
        const result = (await (await opened).json()) as Record<string, unknown>
        expect(result).toMatchObject({ status: 'closed', quotes: [{}] })
        const lateMs = (await databaseTime()) - rfq.closesAt
        expect(lateMs).toBeGreaterThan(-100)
        expect(lateMs).toBeLessThan(1_500)
        expect(await read(`${there.url}/api/v1/rfq/${result['rfqId']}`)).toEqual(result)
        expect(
          Math.abs(Number((await read(`${there.url}/api/v1/health`))['serverTime']) - (await databaseTime())),
        ).toBeLessThan(500)
        await line.end()
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }, 60_000)

  test('error: an unsuitable database is reported in one sentence, without the password', async () => {
    const foreign = await postgres.createDatabase()
    await migrate(foreign, { migrations })
    await postgres.query("insert into identity values ('chainId', '1')", foreign)
    const wrong = postgres.urlOf('postgres').replace(/:[0-9a-f]+@/, ':wrong-password@')
    const sentences: [string, RegExp][] = [
      [wrong, /^The database \S+ rejects the user or password of DATABASE_URL\.\n$/],
      [foreign, /^The database of DATABASE_URL belongs to another chain or market \(chain ID 1, not 8453\); .*\.\n$/],
    ]
    await Promise.all(
      sentences.map(async ([url, sentence]) => {
        const { ended, text } = start({ DATABASE_URL: url })
        expect(await ended).toBe(1)
        expect(text.err).toMatch(sentence)
        expect(text.err).not.toContain(passwordOf(url))
      }),
    )
  }, 60_000)

  test('behavior: a copy is served once it is complete', async () => {
    const DATA_DIR = join(folders[1] ?? '', 'grown')
    const first = start({ DATA_DIR })
    const url = await first.ready()
    const rates = await read(`${url}/api/v1/pools/rates`)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const target = await postgres.createDatabase()
    const copied = start({ DATA_DIR }, ['copy', '--to', target])
    expect([await copied.ended, copied.text.err]).toEqual([0, ''])
    expect(copied.text.out).toMatch(/^series: \d+ identical rows/m)
    expect(copied.text.out).not.toContain(passwordOf(target))
    await postgres.query("insert into identity values ('copying_since', 'then')", target)
    const refused = start({ DATABASE_URL: target })
    expect(await refused.ended).toBe(1)
    expect(refused.text.err).toMatch(/^The database \S+ has an incomplete copy; run "firmquote-server copy" .*\.\n$/)
    await postgres.query("delete from identity where key = 'copying_since'", target)
    // NATS is not configured, which the server logs.
    const next = start({ DATABASE_URL: target })
    expect(await read(`${await next.ready()}/api/v1/pools/rates`)).toEqual(rates)
    expect(next.text.err).toMatch(/"level":"warn".*NATS_URL is not set/)
    const backup = start({ DATABASE_URL: target }, ['backup', join(DATA_DIR, 'copy.db')])
    expect(await backup.ended).toBe(1)
    expect(backup.text.err).toMatch(/^Use PostgreSQL's tools to back up the database of DATABASE_URL: pg_dump, .*\.\n$/)
  }, 60_000)
})
