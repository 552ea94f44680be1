import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deserializeSignedQuote, hashQuote } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { type Hex, numberToHex } from 'viem'
import { createChainDriver } from '../../test/chainDriver.ts'
import { type Interference, type RpcCall, type RpcProxy, startRpcProxy } from '../../test/rpcProxy.ts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { waitUntil } from '../../test/waitUntil.ts'
import { loadConfiguration } from '../start/configuration.ts'
import { type RunningServer, startServer } from '../start/startServer.ts'

// Runs the server on real nodes behind proxies that make them fail, under a load of quotes and RFQs. Each round has one
// of the faults of a preferred node, drawn by the seed.

type Fault = (call: RpcCall) => Interference | Promise<Interference>

const durationMs = 200
let devnet: Devnet
let nodes: [RpcProxy, RpcProxy, RpcProxy]
let server: RunningServer | null = null
let folder: string

beforeAll(async () => {
  devnet = await startDevnet({ blockTime: 1 })
  // The nodes need finalized blocks.
  await createChainDriver(devnet).mine(100)
}, 60_000)
afterAll(() => devnet.stop())
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-nodes-'))
  nodes = [await startRpcProxy(devnet.rpcUrl), await startRpcProxy(devnet.rpcUrl), await startRpcProxy(devnet.rpcUrl)]
})
afterEach(async () => {
  for (const node of nodes) Object.assign(node, { interfere: () => undefined, refuse: () => undefined })
  await server?.stop()
  server = null
  for (const node of nodes) await node.close()
  rmSync(folder, { recursive: true })
})

async function start(...used: RpcProxy[]): Promise<RunningServer> {
  const configuration = loadConfiguration({
    RPC_URL: used.map(({ url }) => url).join(' '),
    ...{ PORT: '0', DATA_DIR: folder, SIGNATURE_THREADS: '1', AUCTION_DURATION_MS: String(durationMs) },
    ...{ STORED_QUOTES_PER_MAKER: '100000', RFQS_PER_MINUTE: '100000', OPEN_RFQS: '1000', OPEN_AUCTIONS: '10000' },
    ...{ HEAD_DEGRADED_SECONDS: '3600', HEAD_STALE_SECONDS: '3600' },
  })
  server = await startServer(configuration, { log: pino({ level: 'silent' }), version: '0.0.0' })
  return server
}

const api = (path: string) => `${server?.url.replace('localhost', '127.0.0.1')}/api/v1${path}`
const post = (path: string, body: unknown) =>
  fetch(api(path), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const health = async () =>
  (await (await fetch(api('/health'))).json()) as { node: { preferred: boolean; reason: string } }
const isReady = async () => (await fetch(`${server?.url.replace('localhost', '127.0.0.1')}/readyz`)).status === 200

/** What clients saw: acknowledgements by code, their milliseconds, and accepted quotes. */
type Seen = { codes: Record<string, number>; ms: number[]; accepted: Hex[]; wrong: number }
const noneSeen = (): Seen => ({ codes: {}, ms: [], accepted: [], wrong: 0 })
const percentile = (values: readonly number[], share: number) =>
  Math.round([...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0)

async function note(seen: Seen, response: Response, startedAt: number, isWrong = false): Promise<void> {
  const { code = 'ok' } = (await response.json()) as { code?: string }
  seen.ms.push(performance.now() - startedAt)
  seen.codes[code] = (seen.codes[code] ?? 0) + 1
  if (isWrong && response.ok) seen.wrong += 1
}

async function sendQuote(seen: Seen, isCancelled = false): Promise<void> {
  const domain = domainOf(devnet)
  const maker = devnet.backers[isCancelled ? 1 : 0]
  const signed = await signQuote(maker, domain, createQuote(devnet, maker, { notional: 2_000_000_000n }))
  const quote = deserializeSignedQuote(signed)
  if (isCancelled) await createChainDriver(devnet).cancel(maker, quote)
  const startedAt = performance.now()
  const response = await post('/quotes', signed)
  if (response.ok && !isCancelled) seen.accepted.push(hashQuote(quote, domain))
  await note(seen, response, startedAt, isCancelled)
}

async function sendRfq(seen: Seen): Promise<void> {
  const [{ poolId, series }] = devnet.pools
  const startedAt = performance.now() + durationMs
  const rfq = { poolId, seriesKey: series[1]?.seriesKey, notional: '2000000000' }
  await note(seen, await post('/rfq/quote', rfq), startedAt)
}

/** Sends quotes and RFQs until the promise resolves. Every 20th quote was cancelled just before. */
async function load(until: Promise<unknown>, everyMs = 50): Promise<Seen> {
  const seen = noneSeen()
  const sent: Promise<void>[] = []
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  for (let count = 1; !isOver; count += 1) {
    sent.push(count % 5 === 0 ? sendRfq(seen) : sendQuote(seen, count % 20 === 1))
    await sleep(everyMs)
  }
  await Promise.all(sent)
  return seen
}

/** Counts accepted quotes that the service no longer has. */
async function countLost({ accepted }: Seen): Promise<number> {
  const found = await Promise.all(accepted.map(async (hash) => (await fetch(api(`/quotes/${hash}`))).status))
  return found.filter((status) => status !== 200).length
}

const flipped = (hash: unknown) => `${String(hash).slice(0, -2)}${String(hash).endsWith('00') ? '01' : '00'}`
const rpc = (method: string, params: readonly unknown[]) =>
  devnet.publicClient.request({ method, params } as never) as Promise<Record<string, unknown> | null>

/** Answers as a node does that lacks the newest blocks. */
const behind =
  (blocks: bigint): Fault =>
  async ({ method, params }) => {
    const newest = (await devnet.publicClient.getBlockNumber({ cacheTime: 0 })) - blocks
    const [block] = method === 'eth_getBlockByNumber' ? params : [params[1]]
    if (method === 'eth_getBlockByNumber' && block === 'latest') {
      return { result: await rpc(method, [numberToHex(newest), false]) }
    }
    const isMissing = typeof block === 'string' && block.startsWith('0x') && BigInt(block) > newest
    if (method === 'eth_getBlockByNumber' && isMissing) return { result: null }
    if (method !== 'eth_call') return undefined
    if (isMissing) return { error: { code: -32000, message: 'header not found' } }
    if (block !== 'latest') return undefined
    return { result: await rpc(method, [params[0], numberToHex(newest), ...params.slice(2)]) }
  }

/** Answers with another newest block. */
const forked: Fault = async ({ method, params }) => {
  if (method !== 'eth_getBlockByNumber') return undefined
  const block = await rpc(method, params)
  const newest = await devnet.publicClient.getBlockNumber({ cacheTime: 0 })
  return block && BigInt(block['number'] as Hex) >= newest
    ? { result: { ...block, hash: flipped(block['hash']) } }
    : undefined
}

/** Answers with other finalized blocks. */
const conflicting: Fault = async ({ method, params }) => {
  if (method !== 'eth_getBlockByNumber' || params[0] === '0x0') return undefined
  const block = await rpc(method, params)
  const finalized = await rpc(method, ['finalized', false])
  const isFinal = block && BigInt(block['number'] as Hex) <= BigInt((finalized?.['number'] ?? '0x0') as Hex)
  return isFinal ? { result: { ...block, hash: flipped(block['hash']) } } : undefined
}

const faults: [name: string, fault: Fault, seconds: number, isLeft: boolean][] = [
  ['killed', () => Promise.reject(new TypeError('gone')), 10, true],
  ['silent', () => new Promise(() => {}), 20, true],
  ['429', () => ({ status: 429 }), 10, true],
  ['429 with Retry-After', () => ({ status: 429, headers: { 'retry-after': '10' } }), 10, true],
  ['garbage', () => ({ body: '<html>' }), 10, true],
  ['10 blocks behind', behind(10n), 15, true],
  ['forked at the head', forked, 10, false],
]

const drawn = Array.from(
  { length: Math.min(rounds, faults.length) },
  (_, round) => faults[(seed + round) % faults.length] as (typeof faults)[number],
)
/** Milliseconds of load on a single node. */
const loadMs = rounds > 1 ? 20_000 : 8_000

describe('two nodes', () => {
  test.each(drawn)(
    'behavior: the preferred one is %s',
    async (name, fault, seconds, isLeft) => {
      await start(nodes[0], nodes[1])
      const calm = await load(sleep(3_000))
      nodes[0].interfere = fault
      const faultAt = performance.now()
      let switchedMs: number | null = null
      const watching = (async () => {
        while (switchedMs === null && performance.now() - faultAt < seconds * 1_000) {
          if (!(await health()).node.preferred) switchedMs = Math.round(performance.now() - faultAt)
          await sleep(20)
        }
      })()
      const seen = await load(sleep(seconds * 1_000))
      await watching
      nodes[0].interfere = () => undefined
      const returnedMs = isLeft ? await waitUntil(async () => (await health()).node.preferred, 60_000) : 0
      const after = await load(sleep(2_000))
      const lost = (await countLost(calm)) + (await countLost(seen)) + (await countLost(after))
      const figures = {
        ...{ name, switchedMs, returnedMs: Math.round(returnedMs), codes: JSON.stringify(seen.codes), lost },
        ...{ calmP99: percentile(calm.ms, 0.99), p99: percentile(seen.ms, 0.99), most: percentile(seen.ms, 1) },
        wrong: calm.wrong + seen.wrong + after.wrong,
      }
      process.stderr.write(`${JSON.stringify(figures)}\n`)
      expect({ wrong: figures.wrong, lost, isLeft: switchedMs !== null }).toEqual({ wrong: 0, lost: 0, isLeft })
      expect(figures.p99).toBeLessThan(2_000)
      expect(after.codes['ok']).toBeGreaterThan(10)
    },
    180_000,
  )

  test('error: conflicting finalized blocks stop quoting until they agree', async () => {
    await start(nodes[0], nodes[1])
    nodes[1].interfere = conflicting
    const stoppedMs = await waitUntil(async () => (await health()).node.reason === 'disagreement')
    const seen = await load(sleep(3_000))
    expect(Object.keys(seen.codes)).toEqual(expect.arrayContaining(['CHAIN_DISAGREES']))
    expect(seen.codes['ok']).toBeUndefined()
    expect(await isReady()).toBe(false)
    nodes[1].interfere = () => undefined
    const resumedMs = await waitUntil(isReady)
    const figures = { stoppedMs: Math.round(stoppedMs), resumedMs: Math.round(resumedMs) }
    process.stderr.write(`${JSON.stringify({ name: 'conflicting', ...figures, codes: JSON.stringify(seen.codes) })}\n`)
    expect((await load(sleep(1_000))).codes['ok']).toBeGreaterThan(5)
  }, 60_000)

  test('behavior: a node that does not answer at startup is used once it does', async () => {
    nodes[0].interfere = () => ({ status: 502 })
    await start(nodes[0], nodes[1])
    expect((await health()).node).toMatchObject({ preferred: false, reason: 'unverified' })
    nodes[0].interfere = () => undefined
    await waitUntil(async () => (await health()).node.preferred, 60_000)
  }, 90_000)
})

test('behavior: of three nodes, the one with another finalized block is left', async () => {
  await start(...nodes)
  nodes[0].interfere = conflicting
  await waitUntil(async () => (await health()).node.reason === 'conflicting')
  const seen = await load(sleep(2_000))
  expect([seen.codes['CHAIN_DISAGREES'], seen.wrong]).toEqual([undefined, 0])
  expect(seen.codes['ok']).toBeGreaterThan(10)
}, 60_000)

describe('one node', () => {
  const share = ({ codes, ms }: Seen) => {
    const failed = ['CHAIN_UNAVAILABLE', 'OVERLOADED', 'RATE_LIMITED', 'INTERNAL'].reduce(
      (sum, code) => sum + (codes[code] ?? 0),
      0,
    )
    return 1 - failed / ms.length
  }

  test.each<[string, () => Fault | null]>([
    ['half of the requests answered 429', () => null],
    [
      'a balancer with a node 5 blocks behind',
      () => {
        const late = behind(5n)
        return (call) => (Math.random() < 0.5 ? late(call) : undefined)
      },
    ],
    [
      'logs limited to 10 blocks',
      () => (call) => {
        if (call.method !== 'eth_getLogs') return undefined
        const { fromBlock, toBlock } = call.params[0] as { fromBlock?: Hex; toBlock?: Hex }
        const isTooMuch = fromBlock && toBlock && BigInt(toBlock) - BigInt(fromBlock) >= 10n
        return isTooMuch ? { error: { code: -32005, message: 'block range is too wide' } } : undefined
      },
    ],
  ])(
    'behavior: %s',
    async (name, create) => {
      const fault = create()
      if (fault) nodes[0].interfere = fault
      else nodes[0].refuse = () => (Math.random() < 0.5 ? { status: 429 } : undefined)
      await start(nodes[0])
      await waitUntil(isReady)
      const seen = await load(sleep(loadMs), 25)
      const figures = {
        served: share(seen),
        p99: percentile(seen.ms, 0.99),
        most: percentile(seen.ms, 1),
        wrong: seen.wrong,
      }
      process.stderr.write(`${JSON.stringify({ name, ...figures, codes: JSON.stringify(seen.codes) })}\n`)
      expect(seen.wrong).toBe(0)
      expect(figures.served).toBeGreaterThanOrEqual(0.99)
      expect(figures.p99).toBeLessThan(3_000)
    },
    90_000,
  )

  test('error: a silent node: requests are refused within 3 s, and the service is not ready within 5 s', async () => {
    await start(nodes[0])
    nodes[0].interfere = () => new Promise(() => {})
    const at = performance.now()
    let notReadyMs: number | null = null
    const watching = (async () => {
      while (notReadyMs === null) if (!(await isReady())) notReadyMs = Math.round(performance.now() - at)
    })()
    const seen = await load(sleep(20_000))
    await watching
    nodes[0].requests = 0
    await sleep(5_000)
    const callsPerSecond = nodes[0].requests / 5
    nodes[0].interfere = () => undefined
    const recoveredMs = Math.round(await waitUntil(isReady))
    const figures = {
      notReadyMs,
      recoveredMs,
      callsPerSecond,
      p99: percentile(seen.ms, 0.99),
      most: percentile(seen.ms, 1),
    }
    process.stderr.write(`${JSON.stringify({ name: 'silent', ...figures, codes: JSON.stringify(seen.codes) })}\n`)
    expect(figures.most).toBeLessThan(3_000)
    expect(notReadyMs).toBeLessThan(5_000)
    expect((await load(sleep(1_000))).codes['ok']).toBeGreaterThan(5)
  }, 90_000)

  test('behavior: under constant 429, the node is called less than once a second', async () => {
    await start(nodes[0])
    nodes[0].interfere = () => ({ status: 429 })
    await sleep(5_000)
    nodes[0].requests = 0
    await sleep(20_000)
    process.stderr.write(`${JSON.stringify({ name: 'constant 429', callsPerSecond: nodes[0].requests / 20 })}\n`)
    expect(nodes[0].requests).toBeLessThan(20)
  }, 60_000)

  test('behavior: a first start makes at most 40 HTTP requests', async () => {
    await createChainDriver(devnet).mine(200)
    await start(nodes[0])
    const { requests } = nodes[0]
    await sleep(5_000)
    const headers = nodes[0].calls.filter(({ method }) => method === 'eth_getBlockByNumber').length
    process.stderr.write(`${JSON.stringify({ name: 'first start', requests, in5s: nodes[0].requests, headers })}\n`)
    expect(requests).toBeLessThanOrEqual(40)
  }, 60_000)
})
