import { formatKey, ProofError, verifyConsistency } from '@firmquote/verify'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createLog, createNoteSigner, type TestLog } from '../../../verify/test/proofFixture.ts'
import { type Interceptor, serveLog } from '../../../verify/test/serveLog.ts'
import { ConnectionError, InvalidResponseError, TimeoutError } from '../errors.ts'
import { createLogReader, readLogs } from './createLogReader.ts'

const size = 600
let log: TestLog
let server: Awaited<ReturnType<typeof serveLog>>

beforeAll(() => {
  log = createLog()
  while (log.entries.length < size) log.append(Uint8Array.of(99, log.entries.length & 255, log.entries.length >> 8))
})
beforeEach(async () => {
  server = await serveLog(log, log.checkpoint(1_900_000_000))
})
afterEach(() => server.stop())

const create = (options: Partial<Parameters<typeof createLogReader>[0]> = {}) =>
  createLogReader({ url: `${server.url}/log/1`, ...options })
const answer =
  (part: string, respond: (response: Parameters<Interceptor>[1]) => void): Interceptor =>
  (path, response) => {
    if (!path.includes(part)) return false
    respond(response)
    return true
  }

describe('createLogReader', () => {
  test('default: reads a checkpoint, entries and paths, and verifies them', async () => {
    const reader = create({ witnesses: [log.witness.key], quorum: 1 })
    const head = await reader.checkpoint()
    expect(head).toMatchObject({ size, origin: log.origin, witnesses: [{ name: log.witness.key.name }] })
    expect(await reader.entries(0, size, head)).toEqual(log.entries)
    expect(await reader.entries(255, 257, head)).toEqual(log.entries.slice(255, 257))
    const older = { size: 300, root: await reader.root(300, head) }
    verifyConsistency(older, head, await reader.consistencyPath(300, head))
    expect(await reader.inclusionPath(5, head)).toHaveLength(10)
    // Tiles are read once.
    const hashTiles = server.served.requests.filter((path) => /tile\/\d/.test(path))
    expect(hashTiles).toHaveLength(new Set(hashTiles).size)
  })

  test('behavior: keeps the first key that the service lists', async () => {
    const reader = create()
    await reader.checkpoint()
    server.served.log = createLog()
    server.served.log.log.key = createNoteSigner(log.origin, 1).key
    expect(await reader.key()).toEqual(log.log.key)
    expect(server.served.requests.filter((path) => path === '/log')).toHaveLength(1)
  })

  test.each<[string, string, (bytes: Buffer) => Buffer]>([
    ['a rewritten tile', 'tile/0/001', (bytes) => flip(bytes, 40)],
    ['a rewritten tile at the edge', 'tile/0/002.p', (bytes) => flip(bytes, 40)],
    ['a rewritten tile of a higher level', 'tile/1/000.p', (bytes) => flip(bytes, 40)],
    ['a truncated tile', 'tile/0/001', (bytes) => bytes.subarray(32)],
    ['a rewritten entry', 'tile/entries/001', (bytes) => flip(bytes, 4)],
    ['a rewritten entry at the edge', 'tile/entries/002.p', (bytes) => flip(bytes, 4)],
    ['a missing entry', 'tile/entries/001', (bytes) => bytes.subarray(5)],
    ['a rewritten checkpoint', 'checkpoint', (bytes) => Buffer.from(bytes.toString().replace('\n600\n', '\n599\n'))],
  ])('error: %s', async (_what, part, change) => {
    server.served.intercept = (path, response) => {
      if (!path.includes(part)) return false
      server.served.intercept = () => false
      void fetch(`${server.url}${path}`)
        .then((original) => original.arrayBuffer())
        .then((bytes) => response.end(change(Buffer.from(bytes))))
      return true
    }
    const reader = create({ key: log.keys[0] as string })
    const read = async () => {
      const head = await reader.checkpoint()
      await reader.inclusionPath(257, head)
      await reader.entries(0, size, head)
    }
    await expect(read()).rejects.toThrow(ProofError)
    // One false answer does not spoil the reader.
    await read()
  })

  test('error: another log’s key, too few witnesses, and indices outside of the tree', async () => {
    const other = createNoteSigner(log.origin, 1).key
    await expect(create({ key: formatKey(other) }).checkpoint()).rejects.toThrow('not signed by')
    await expect(create({ witnesses: [], quorum: 1 }).checkpoint()).rejects.toThrow('0 of the policy')
    const reader = create()
    const head = await reader.checkpoint()
    await expect(reader.entries(0, size + 1, head)).rejects.toThrow('has no entries')
    await expect(reader.inclusionPath(size, head)).rejects.toThrow('has no leaf')
    await expect(reader.consistencyPath(size + 1, head)).rejects.toThrow('has no prefix')
  })

  test('error: an endless answer, a redirect, a status', async () => {
    const { served } = server
    served.intercept = answer('checkpoint', (response) => {
      const write = () => {
        while (response.write(Buffer.alloc(4_096, 65)));
      }
      response.on('drain', write)
      write()
    })
    await expect(create().checkpoint()).rejects.toThrow('more than 16384 bytes')
    served.intercept = answer('checkpoint', (response) => response.writeHead(302, { location: '/log' }).end())
    await expect(create().checkpoint()).rejects.toThrow('redirects')
    served.intercept = answer('checkpoint', (response) => response.writeHead(404).end())
    await expect(create().checkpoint()).rejects.toThrow(InvalidResponseError)
  })

  test('error: no answer in time, and a connection that breaks', async () => {
    const { served } = server
    served.intercept = answer('checkpoint', () => {})
    await expect(create({ timeoutMs: 50 }).checkpoint()).rejects.toThrow(TimeoutError)
    served.intercept = answer('checkpoint', (response) => response.destroy())
    await expect(create({ timeoutMs: 50 }).checkpoint()).rejects.toThrow(ConnectionError)
    served.intercept = answer('checkpoint', (response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('rfq')
      response.destroy()
    })
    await expect(create({ timeoutMs: 50 }).checkpoint()).rejects.toThrow(ConnectionError)
  })

  test('behavior: a busy service is asked again', async () => {
    let busy = 2
    server.served.intercept = (path, response) => {
      if (!path.includes('checkpoint') || busy === 0) return false
      busy -= 1
      response.writeHead(busy === 1 ? 429 : 503, { 'retry-after': '0' }).end()
      return true
    }
    expect(await create().checkpoint()).toMatchObject({ size })
  })

  test.each([
    ['a malformed URL', { url: 'rfq.example.com' }, 'url'],
    ['the URL of a service', { url: 'https://rfq.example.com' }, 'url'],
    ['a malformed key', { key: 'rfq.example.com' }, 'key'],
    ['a negative timeout', { timeoutMs: -1 }, 'timeoutMs'],
  ])('error: %s', (_what, options, path) => {
    expect(() => create(options)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path }))
  })
})

describe('readLogs', () => {
  test('default: lists the logs with absolute URLs', async () => {
    const listed = { origin: log.origin, url: `${server.url}/log/1`, key: log.keys[0] }
    expect(await readLogs(`${server.url}/`)).toEqual([listed])
  })

  test.each([
    ['[]', 'no object'],
    ['{"logs":[{"origin":"a","url":"https://evil.example/log/1","key":"b"}]}', 'another host'],
    ['{"logs":[null]}', 'no log'],
    ['{', 'no JSON'],
  ])('error: %s has %s', async (body) => {
    server.served.intercept = answer('/log', (response) => response.end(body))
    await expect(readLogs(server.url)).rejects.toThrow('not a list of logs')
  })
})

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}
