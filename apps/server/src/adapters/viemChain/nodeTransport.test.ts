import { startHttpServer } from '@firmquote/test-support/httpServer'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Client } from 'viem'
import { getBlock } from 'viem/actions'
import { createRpcClient } from './viemChain.ts'

type Answer = { status?: number; retryAfter?: string; result?: unknown; error?: object; text?: string; hangs?: true }

let server: Awaited<ReturnType<typeof startHttpServer>>
let client: Client
/** Decides the answer to one call. `asked` counts the HTTP requests. */
let answerTo: (call: { method: string; params?: unknown[] }, asked: number) => Answer
let takesBatches: (size: number) => boolean
let batches: number[]

const header = (number: unknown) => ({ number, hash: `0x${'ab'.repeat(32)}`, timestamp: '0x1', transactions: [] })

beforeEach(async () => {
  takesBatches = () => true
  batches = []
  answerTo = ({ method, params: [block] = [] }) => ({
    result: method === 'eth_getBlockByNumber' ? header(block === 'latest' ? '0x64' : block) : '0x1',
  })
  server = await startHttpServer(({ body }, response, asked) => {
    const sent = JSON.parse(body)
    const calls = Array.isArray(sent) ? sent : [sent]
    if (Array.isArray(sent)) batches.push(sent.length)
    if (Array.isArray(sent) && !takesBatches(sent.length)) return response.writeHead(400).end('no batches')
    const answers = calls.map((call) => ({ id: call.id, ...answerTo(call, asked) }))
    const [first] = answers
    if (first?.hangs) return
    if (first?.retryAfter) response.setHeader('retry-after', first.retryAfter)
    if (first?.status) return response.writeHead(first.status).end()
    response.end(first?.text ?? JSON.stringify(Array.isArray(sent) ? answers : first))
  })
  client = createRpcClient({ rpcUrl: `${server.url}/key`, timeoutMs: 1_000 })
})
afterEach(() => server.close())

const readChainId = () => client.request({ method: 'eth_chainId' })
const readHeaders = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, number) => getBlock(client, { blockNumber: BigInt(number) })))

describe('retries', () => {
  test('behavior: with every other request answered 429, a thousand calls succeed', async () => {
    answerTo = (_, asked) => (asked % 2 === 1 ? { status: 429 } : { result: '0x1' })
    for (let call = 0; call < 1_000; call += 50) {
      expect(await Promise.all(Array.from({ length: 50 }, readChainId))).toEqual(Array(50).fill('0x1'))
    }
  })

  test.each([
    ['503', { status: 503 }],
    ['text that is not JSON', { text: '<html>' }],
    ['a result of another type', { result: 'garbage' }],
    ['a rate limit as a JSON-RPC error', { error: { code: 429, message: 'slow down' } }],
    ['an internal error', { error: { code: -32603, message: 'internal' } }],
  ] as const)('behavior: a call is repeated after %s', async (_name, failure) => {
    answerTo = (_, asked) => (asked === 1 ? failure : { result: '0x1' })
    expect(await readChainId()).toBe('0x1')
    expect(server.seen).toHaveLength(2)
  })

  test('behavior: a revert is not repeated', async () => {
    answerTo = () => ({ error: { code: 3, message: 'execution reverted' } })
    await expect(readChainId()).rejects.toThrow('reverted')
    expect(server.seen).toHaveLength(1)
  })

  test('behavior: Retry-After is honoured', async () => {
    answerTo = (_, asked) => (asked === 1 ? { status: 429, retryAfter: '1' } : { result: '0x1' })
    const startedAt = performance.now()
    expect(await readChainId()).toBe('0x1')
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990)
    expect(server.seen).toHaveLength(2)
  })

  test('error: Retry-After beyond the budget fails at once and holds back later calls', async () => {
    answerTo = () => ({ status: 429, retryAfter: '20' })
    const startedAt = performance.now()
    for (let call = 0; call < 20; call += 1) await expect(readChainId()).rejects.toThrow()
    expect(server.seen).toHaveLength(1)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  test('error: a silent node fails within the budget', async () => {
    answerTo = () => ({ hangs: true })
    const startedAt = performance.now()
    await expect(readChainId()).rejects.toThrow()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test('behavior: a node that answers quickly gets a short timeout, and more time with each attempt', async () => {
    for (let call = 0; call < 20; call += 1) await readChainId()
    server.seen.length = 0
    answerTo = (_, asked) => (asked < 3 ? { hangs: true } : { result: '0x1' })
    const startedAt = performance.now()
    expect(await readChainId()).toBe('0x1')
    const ms = performance.now() - startedAt
    // Twice 250 ms or longer, and less than the maximum of a second each.
    expect([ms >= 750, ms < 2_000]).toEqual([true, true])
  })
})

describe('blocks', () => {
  test('behavior: blocks asked for together are one request', async () => {
    const blocks = await readHeaders(100)
    expect(blocks.map(({ number }) => Number(number))).toEqual([...Array(100).keys()])
    expect(batches).toEqual([100])
    expect(server.seen).toHaveLength(1)
  })

  test('behavior: a node that refuses large batches gets smaller ones, and this is remembered', async () => {
    takesBatches = (size) => size <= 30
    await readHeaders(100)
    expect(batches).toEqual([100, 50, 25, 25, 25, 25])
    batches = []
    await readHeaders(50)
    expect(batches).toEqual([25, 25])
  })

  test('behavior: a node without batches gets single requests, at most twenty at a time', async () => {
    takesBatches = () => false
    expect(await readHeaders(60)).toHaveLength(60)
    batches = []
    server.seen.length = 0
    expect(await readHeaders(60)).toHaveLength(60)
    expect([batches, server.seen.length]).toEqual([[], 60])
  })

  test('behavior: a block that the batch lacks is asked for again', async () => {
    let missing = 3
    answerTo = ({ params: [block] = [] }) => {
      if (block !== '0x2' || missing === 0) return { result: header(block) }
      missing -= 1
      return { result: null }
    }
    const blocks = await readHeaders(5)
    expect(blocks[2]?.number).toBe(2n)
    expect(missing).toBe(0)
  })

  test('behavior: behind a balancer with a node that is behind, the newest block never goes back', async () => {
    answerTo = (_, asked) => ({ result: header(asked % 2 === 0 ? '0x5f' : '0x64') })
    for (let read = 0; read < 50; read += 1) expect((await getBlock(client)).number).toBe(100n)
  })

  test('behavior: a chain that went back is believed after repeated answers', async () => {
    await getBlock(client)
    answerTo = () => ({ result: header('0x10') })
    expect((await getBlock(client)).number).toBe(16n)
    server.seen.length = 0
    expect((await getBlock(client)).number).toBe(16n)
    expect(server.seen).toHaveLength(1)
  })

  test('behavior: a call at a block that one of the nodes lacks is repeated', async () => {
    answerTo = (_, asked) =>
      asked % 2 === 1 ? { error: { code: -32000, message: 'header not found' } } : { result: '0x' }
    expect(await client.request({ method: 'eth_call', params: [{ to: '0x' }, '0x64'] as never })).toBe('0x')
  })
})

test('behavior: under constant 429, a node is called less than once a second', async () => {
  answerTo = () => ({ status: 429 })
  const until = performance.now() + 6_000
  let failed = 0
  for (; performance.now() < until; failed += 1) {
    await readChainId().catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // The first two calls use all attempts.
  expect(failed).toBeGreaterThan(20)
  expect(server.seen.length - 24).toBeLessThan(8)
}, 30_000)
