import { execFile } from 'node:child_process'
import { chmodSync, linkSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { sendResult, startDaemon } from '../../test/daemon.ts'
import { bytes, maker, quote, quoteHash, rfq, publicRfqId as rfqId, wireQuote, wireRfq } from '../../test/samples.ts'
import { RfqDaemonClient } from './rfqDaemonClient.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  jest.restoreAllMocks()
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(answer: Parameters<typeof startDaemon>[0], options: object = {}) {
  const daemon = await startDaemon(answer)
  const client = new RfqDaemonClient({ socketPath: daemon.path, ...options })
  closers.push(daemon.close, () => client.close())
  return { daemon, client }
}

const status = {
  version: '0.0.0',
  address: maker,
  paused: false,
  service: { url: 'ws://localhost:3005/ws/rfq', connected: true, authenticated: true },
  openRfqs: 1,
  startedAt: 5,
}
const daemonQuote = {
  hash: quoteHash,
  rfqId,
  quote: wireQuote,
  verdict: 'rejected',
  code: 'ALREADY_QUOTED',
  signedAt: 7,
}
const ack = { type: 'quote_ack', rfqId, status: 'accepted', hash: quoteHash, receivedAt: 1, closesAt: 2 } as const

describe('methods', () => {
  const raised = { transactionHash: bytes('a'), endedQuotes: [quoteHash] }
  const cases: [string, (client: RfqDaemonClient) => Promise<unknown>, unknown, unknown, unknown][] = [
    ['status', (client) => client.status(), undefined, status, status],
    ['getAddress', (client) => client.getAddress(), undefined, { address: maker.toLowerCase() }, maker],
    ['getPolicy', (client) => client.getPolicy(), undefined, { spread: 5 }, { spread: 5 }],
    ['setPolicy', (client) => client.setPolicy({ max: 5n }), { max: '5' }, { max: '5' }, { max: '5' }],
    ['pause', (client) => client.pause(), undefined, { paused: true }, undefined],
    ['resume', (client) => client.resume(), undefined, { paused: false }, undefined],
    ['listRfqs', (client) => client.listRfqs(), undefined, { rfqs: [wireRfq] }, [rfq]],
    [
      'listQuotes',
      (client) => client.listQuotes(),
      undefined,
      { quotes: [daemonQuote, { ...daemonQuote, rfqId: null, verdict: 'unknown', code: undefined }] },
      [
        { ...daemonQuote, quote: { ...quote, signature: wireQuote.signature } },
        {
          hash: quoteHash,
          rfqId: null,
          quote: { ...quote, signature: wireQuote.signature },
          verdict: 'unknown',
          signedAt: 7,
        },
      ],
    ],
    [
      'signQuote',
      (client) => client.signQuote(quote),
      { quote: { ...wireQuote, signature: undefined } },
      wireQuote,
      wireQuote,
    ],
    ['submitQuote', (client) => client.submitQuote(rfqId, wireQuote), { rfqId, quote: wireQuote }, ack, ack],
    ['raiseNonce', (client) => client.raiseNonce(), undefined, raised, raised],
    ['shutdown', (client) => client.shutdown(), undefined, null, undefined],
  ]
  test.each(cases)('default: %s', async (method, call, params, result, expected) => {
    const { daemon, client } = await start((received, socket) => sendResult(socket, received, result))
    expect(await call(client)).toEqual(expected)
    expect(daemon.calls).toHaveLength(1)
    const [received] = daemon.calls
    expect(received).toEqual({
      jsonrpc: '2.0',
      id: expect.any(String),
      method,
      ...(params === undefined ? {} : { params: JSON.parse(JSON.stringify(params)) }),
    })
  })

  test('error: a malformed result', async () => {
    const { client } = await start((call, socket) => sendResult(socket, call, { address: 'none' }))
    await expect(client.getAddress()).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    await expect(client.submitQuote(rfqId, wireQuote)).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  })

  test('error: the daemon rejects the call', async () => {
    const error = { code: -32_002, message: 'The policy forbids it.', data: { limit: '5' } }
    const { client } = await start(({ id }, socket) => {
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`)
    })
    await expect(client.signQuote(quote)).rejects.toMatchObject({
      name: 'DaemonError',
      code: 'DAEMON_ERROR',
      rpcCode: -32_002,
      shortMessage: 'The policy forbids it.',
      data: { limit: '5' },
    })
  })

  test('error: the daemon failed to decode the call', async () => {
    const { client } = await start((_call, socket) => {
      socket.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n')
    })
    await expect(client.status()).rejects.toMatchObject({ rpcCode: -32_700 })
  })
})

describe('the connection', () => {
  test('behavior: concurrent calls on one connection, answered in any order', async () => {
    const held: (() => void)[] = []
    const { daemon, client } = await start((call, socket) => {
      held.push(() => sendResult(socket, call, { call: (call.params as { n: number }).n }))
      if (held.length === 20) for (const release of held.reverse()) release()
    })
    const calls = Array.from({ length: 20 }, (_, n) => client.setPolicy({ n }))
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, (_, call) => ({ call })))
    expect(daemon.sockets).toHaveLength(1)
  })

  test('behavior: answers split within a character and merged', async () => {
    const waiting: string[] = []
    const { client } = await start(({ id }, socket) => {
      waiting.push(id)
      if (waiting.length < 2) return
      const text = waiting.map((one) => JSON.stringify({ jsonrpc: '2.0', id: one, result: { name: 'größer €' } }))
      const bytesOfAll = Buffer.from(`\n${text.join('\r\n')}\n`)
      socket.setNoDelay(true)
      const next = (at: number) => {
        if (at < bytesOfAll.length) socket.write(bytesOfAll.subarray(at, at + 1), () => next(at + 1))
      }
      next(0)
    })
    expect(await Promise.all([client.getPolicy(), client.getPolicy()])).toEqual([
      { name: 'größer €' },
      { name: 'größer €' },
    ])
  })

  test('behavior: reads a large answer; one over the limit ends the connection', async () => {
    let size = 9 * 1024 * 1024
    const { client } = await start((call, socket) => sendResult(socket, call, { text: 'x'.repeat(size) }))
    expect(String((await client.getPolicy())['text'])).toHaveLength(size)
    size = 10 * 1024 * 1024
    await expect(client.getPolicy()).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      message: expect.stringContaining('10 MiB'),
    })
    size = 1
    expect(await client.getPolicy()).toEqual({ text: 'x' })
  })

  test.each(['not json\n', '{"jsonrpc":"1.0","id":"1","result":1}\n', '[]\n', '{"jsonrpc":"2.0","id":1,"result":1}\n'])(
    'error: the daemon says %j',
    async (text) => {
      const { client } = await start((_call, socket) => socket.write(text))
      await expect(client.status()).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    },
  )

  test('error: the daemon exits; the next call connects to the new one', async () => {
    let healthy = false
    const { daemon, client } = await start((call, socket) =>
      healthy ? sendResult(socket, call, status) : socket.destroy(),
    )
    await expect(client.status()).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe' })
    healthy = true
    expect(await client.status()).toEqual(status)
    expect(daemon.sockets).toHaveLength(2)
  })

  test('error: no answer in time; a late one is ignored', async () => {
    const clock = createFakeClock()
    const late: (() => void)[] = []
    const { daemon, client } = await start((call, socket) => late.push(() => sendResult(socket, call, status)), {
      clock,
      timeoutMs: 1_000,
    })
    const first = client.status()
    first.catch(() => {})
    while (daemon.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1_000)
    await expect(first).rejects.toMatchObject({ code: 'TIMEOUT', sent: 'maybe' })
    const second = client.status()
    while (daemon.calls.length === 1) await new Promise((resolve) => setImmediate(resolve))
    for (const answer of late) answer()
    expect(await second).toEqual(status)
  })

  test('error: aborted', async () => {
    const controller = new AbortController()
    const { daemon, client } = await start(() => controller.abort('enough'))
    await expect(client.status({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED', sent: 'no' })
    expect(daemon.calls).toEqual([])
    await expect(client.status({ signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      sent: 'maybe',
      cause: 'enough',
    })
  })

  test('error: closed', async () => {
    const { client, daemon } = await start(() => {})
    const call = client.status()
    call.catch(() => {})
    while (daemon.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    client.close()
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe' })
    await expect(client.status()).rejects.toMatchObject({ name: 'ConnectionError', sent: 'no' })
    client.close()
  })

  test('behavior: an open connection does not keep a process alive', async () => {
    const { daemon } = await start((call, socket) => sendResult(socket, call, status))
    const script = `
      const { RfqDaemonClient } = await import(process.argv[1])
      process.stdout.write(JSON.stringify(await new RfqDaemonClient().status()))`
    const module = new URL('./rfqDaemonClient.ts', import.meta.url).href
    const args = ['--conditions=@firmquote/source', '--input-type=module', '-e', script, module]
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, FIRMQUOTE_SOCKET: daemon.path, NODE_OPTIONS: '' },
      timeout: 20_000,
    })
    expect(JSON.parse(stdout)).toEqual(status)
  })
})

describe('a socket that is not trusted', () => {
  const refused = (path: string) => new RfqDaemonClient({ socketPath: path }).status()

  test('error: missing', async () => {
    const { daemon } = await start(() => {})
    const path = join(daemon.folder, 'none.sock')
    await expect(refused(path)).rejects.toMatchObject({
      name: 'DaemonSocketError',
      code: 'SOCKET_REFUSED',
      fault: 'missing',
      socketPath: path,
    })
  })

  test('error: a link, even to a valid socket', async () => {
    const { daemon } = await start(() => {})
    const path = join(daemon.folder, 'link.sock')
    symlinkSync(daemon.path, path)
    await expect(refused(path)).rejects.toMatchObject({ fault: 'link' })
    expect(daemon.sockets).toEqual([])
  })

  test('error: a file and a folder', async () => {
    const { daemon } = await start(() => {})
    const path = join(daemon.folder, 'file.sock')
    writeFileSync(path, '', { mode: 0o600 })
    await expect(refused(path)).rejects.toMatchObject({ fault: 'not_a_socket' })
    await expect(refused(daemon.folder)).rejects.toMatchObject({ fault: 'not_a_socket' })
  })

  test.each([0o660, 0o606, 0o666, 0o640, 0o601])('error: mode %o', async (mode) => {
    const { daemon } = await start(() => {})
    chmodSync(daemon.path, mode)
    await expect(refused(daemon.path)).rejects.toMatchObject({
      fault: 'open_to_others',
      message: expect.stringContaining(mode.toString(8)),
    })
    expect(daemon.sockets).toEqual([])
  })

  test("error: another user's socket", async () => {
    const { daemon } = await start(() => {})
    const own = process.getuid?.() ?? 0
    jest.spyOn(process as { getuid(): number }, 'getuid').mockReturnValue(own + 1)
    await expect(refused(daemon.path)).rejects.toMatchObject({ fault: 'other_owner' })
    expect(daemon.sockets).toEqual([])
  })

  test('error: a socket without a listener', async () => {
    const { daemon } = await start(() => {})
    const orphan = join(daemon.folder, 'orphan.sock')
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(daemon.folder, 'soon.sock'), resolve))
    linkSync(join(daemon.folder, 'soon.sock'), orphan)
    chmodSync(orphan, 0o600)
    await new Promise((resolve) => server.close(resolve))
    await expect(refused(orphan)).rejects.toMatchObject({ name: 'ConnectionError', sent: 'no' })
  })
})
