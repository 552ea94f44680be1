import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { sharePostgres } from '@firmquote/cluster/sharePostgres'
import { startNats } from '@firmquote/cluster/startNats'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { answerChallenge, connectBacker, openSocket } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'
import { loadConfiguration } from '../start/configuration.ts'
import { type RunningServer, startServer } from '../start/startServer.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ blockTime: 1 })
}, 60_000)
afterAll(() => devnet?.stop())

describeBans('one server on SQLite', 1)
if (findPostgres() && findNats()) describeBans('three servers on PostgreSQL', 3)

const durationMs = 4_000
const who = 'ops'
const why = 'quotes that never fill'

function describeBans(name: string, count: 1 | 3): void {
  const cleanups: (() => unknown)[] = []
  const servers: RunningServer[] = []
  let environment: Record<string, string> = {}
  let maker: DevnetAccount
  let other: DevnetAccount

  const start = () => startServer(loadConfiguration(environment), { log: pino({ level: 'silent' }), version: '0.0.0' })
  const first = () => servers[0] as RunningServer
  const last = () => servers.at(-1) as RunningServer
  const admin = (method: string, params: object) => first().admin[method]?.(params)
  const socketUrl = ({ url }: RunningServer) => `${url.replace('http', 'ws')}/ws/rfq`
  const connect = (server: RunningServer, { privateKey }: DevnetAccount) =>
    connectBacker(socketUrl(server), privateKeyToAccount(privateKey))
  const request = async ({ url }: RunningServer, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/api/v1${path}`, init)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  /** The series of the published quote and, so that its rate is not the published one, of the auction. */
  const seriesKeyOf = (use: 'published' | 'auction') =>
    devnet.pools[0].series[use === 'published' ? 1 : 0]?.seriesKey ?? '0x'
  const newQuote = (from: DevnetAccount, use: 'published' | 'auction' = 'published') =>
    signQuote(from, domainOf(devnet), createQuote(devnet, from, { seriesKey: seriesKeyOf(use) }))
  /** The makers in all lists and rates of an instance. */
  const makersShown = async (server: RunningServer) => {
    const shown = new Set<string>()
    for (const sort of ['created', 'deadline', 'rate']) {
      for (const filter of ['', `&seriesKey=${seriesKeyOf('published')}`, `&maker=${maker.address}`]) {
        const { body } = await request(server, `/quotes?sort=${sort}${filter}`)
        for (const { quote } of body['quotes'] as { quote: { maker: string } }[]) shown.add(quote.maker)
      }
    }
    const past = await request(server, `/quotes?status=all&maker=${maker.address}`)
    for (const { quote } of past.body['quotes'] as { quote: { maker: string } }[]) shown.add(quote.maker)
    const rates = await request(server, '/pools/rates?notional=1000000000')
    const bestApr = (rates.body['pools'] as { series: { seriesKey: string; bestApr?: number }[] }[])
      .flatMap((pool) => pool.series)
      .find(({ seriesKey }) => seriesKey === seriesKeyOf('published'))?.bestApr
    if (bestApr !== undefined) shown.add('a rate')
    return [...shown].sort()
  }
  const refusalOf = async (server: RunningServer) => {
    const socket = openSocket(socketUrl(server))
    socket.send(await answerChallenge(await socket.next('auth_challenge'), privateKeyToAccount(maker.privateKey)))
    return { ...(await socket.next('auth_failed')), ...(await socket.closed) }
  }
  /** Waits until a condition holds on every instance. */
  const everywhere = (holds: (server: RunningServer) => Promise<boolean>) =>
    Promise.all(servers.map((server) => waitUntil(() => holds(server))))

  describe(name, () => {
    beforeAll(async () => {
      ;[maker, other] = devnet.backers
      const folder = mkdtempSync(join(tmpdir(), 'firmquote-bans-'))
      cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
      environment = {
        ...{ RPC_URL: devnet.rpcUrl, PORT: '0', SIGNATURE_THREADS: '1', AUCTION_DURATION_MS: String(durationMs) },
        ...{ PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq', DATA_DIR: join(folder, 'data'), MAX_SOCKETS: '2' },
      }
      if (count === 3) {
        const postgres = await sharePostgres()
        const nats = await startNats({ folder })
        cleanups.push(() => nats.stop())
        environment = { ...environment, DATABASE_URL: await postgres.createDatabase(), NATS_URL: nats.url }
      }
      for (let index = 0; index < count; index += 1) servers.push(await start())
    }, 60_000)
    afterEach(async () => {
      await admin('makers.unban', { maker: maker.address, who })?.catch(() => {})
      await everywhere(async (server) => {
        const shown = (await server.admin['makers.show']?.({ maker: maker.address })) as { ban: unknown }
        return shown.ban === null
      })
    })
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()))
      for (const cleanup of cleanups.reverse()) await cleanup()
    }, 30_000)

    test('default: a ban takes effect in every list, rate and entry point of every instance, and unban ends it', async () => {
      const published = await newQuote(maker)
      const created = await request(last(), '/quotes', published)
      expect(created).toMatchObject({ status: 201 })
      const hash = String(created.body['hash'])
      await waitUntil(async () => (await makersShown(first())).includes('a rate'))
      const session = await connect(last(), maker)

      await admin('makers.ban', { maker: maker.address, for: '24h', why, who })
      // The instance that carried out the command needs no time.
      expect(await makersShown(first())).toEqual([])
      await everywhere(async (server) => (await request(server, '/quotes', published)).status === 403)
      for (const server of servers) expect(await makersShown(server)).toEqual([])
      const closed = await session.closed
      expect(closed).toEqual({ code: 4423, reason: expect.stringMatching(/^banned until \S+Z$/) })
      for (const server of servers) {
        expect(await request(server, '/quotes', await newQuote(maker))).toMatchObject({
          status: 403,
          body: { code: 'MAKER_BANNED', details: { maker: maker.address, until: expect.any(Number) } },
        })
        expect(await request(server, `/quotes/${hash}`)).toMatchObject({
          body: { hash, status: 'active', executable: false, reason: 'MAKER_BANNED' },
        })
        expect(await refusalOf(server)).toMatchObject({
          ...{ code: 4423, reason: closed.reason },
          message: expect.stringMatching(/^The operator of this server has banned this maker until /),
        })
      }

      await admin('makers.unban', { maker: maker.address, who })
      await everywhere(async (server) => (await request(server, '/quotes', published)).status === 200)
      for (const server of servers) expect(await makersShown(server)).toEqual([maker.address, 'a rate'])
      for (const server of servers) await (await connect(server, maker)).end()
      const { entries } = (await admin('audit', { limit: 2 })) as { entries: unknown[] }
      expect(entries).toMatchObject([
        { command: 'makers unban', subject: maker.address, who, isVerified: false },
        { command: 'makers ban', subject: maker.address, who, why },
      ])
    })

    test('behavior: an open auction keeps the quote it has accepted, and refuses a later one', async () => {
      const [socket, witness] = [await connect(last(), maker), await connect(first(), other)]
      const body = { poolId: devnet.pools[0].poolId, seriesKey: seriesKeyOf('auction'), notional: '1000000000' }
      const result = request(last(), '/rfq/quote', body)
      const { rfqId } = await socket.next('rfq')
      socket.send({ type: 'quote', rfqId, quote: await newQuote(maker, 'auction') })
      expect(await socket.next('quote_ack')).toMatchObject({ status: 'accepted' })
      await admin('makers.ban', { maker: maker.address, why, who })
      expect(await socket.closed).toEqual({ code: 4423, reason: 'banned' })
      await witness.next('rfq')
      witness.send({ type: 'quote', rfqId, quote: await newQuote(other, 'auction') })
      expect(await witness.next('quote_ack')).toMatchObject({ status: 'accepted' })
      const quotes = (await result).body['quotes'] as { quote: { maker: string } }[]
      expect(quotes.map(({ quote }) => quote.maker).sort()).toEqual([maker.address, other.address].sort())
      await witness.end()
    })

    test('behavior: a banned maker with a new key is connected, but has no funds to quote with', async () => {
      await admin('makers.ban', { maker: maker.address, why, who })
      const privateKey = generatePrivateKey()
      const { address } = privateKeyToAccount(privateKey)
      const fresh = { privateKey, address } as DevnetAccount
      const session = await connect(first(), fresh)
      expect(await request(first(), '/quotes', await newQuote(fresh))).toMatchObject({
        status: 422,
        body: { code: 'INSUFFICIENT_BALANCE' },
      })
      await session.end()
    })

    test('behavior: a ban survives a restart', async () => {
      await admin('makers.ban', { maker: maker.address, why, who })
      await servers.pop()?.stop()
      servers.push(await start())
      expect(await refusalOf(last())).toMatchObject({ code: 4423, reason: 'banned' })
    })

    test('behavior: the seat of a banned maker is free, although its client ignores the close', async () => {
      const deaf = await connect(first(), maker)
      const taken = await connect(first(), other)
      deaf.socket.pause()
      await admin('makers.ban', { maker: maker.address, why, who })
      const third = await connect(first(), devnet.backers[2])
      expect(third.session.address).toBe(devnet.backers[2].address)
      deaf.socket.terminate()
      for (const socket of [taken, third]) await socket.end()
    })
  })
}
