import { chmodSync, chownSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createListLog } from '@firmquote/test-support/listLog'
import { createSocketFolder, leaveStaleSocket } from '@firmquote/test-support/socketFolder'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { JSONRPCErrorException } from 'json-rpc-2.0'
import { callSocket } from './callSocket.ts'
import { serveSocket } from './serveSocket.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  jest.restoreAllMocks()
  for (const close of closers.splice(0).reverse()) await close()
})

function createFolder() {
  const created = createSocketFolder()
  closers.push(created.remove)
  return created
}

async function serve(methods: Parameters<typeof serveSocket>[0]['methods']) {
  const { folder, path } = createFolder()
  const served = await serveSocket({ socketPath: path, methods, program: 'server', log: createListLog() })
  closers.push(served.close)
  return { folder, path }
}

/** Serves bytes instead of JSON-RPC. */
async function serveRaw(answer: (socket: Socket) => void) {
  const { path } = createFolder()
  const server = createServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)))
  await new Promise<void>((listening) => server.listen(path, listening))
  chmodSync(path, 0o600)
  closers.push(() => new Promise((closed) => server.close(closed)))
  return path
}

const call = (socketPath: string, options: { method?: string; params?: object; timeoutMs?: number } = {}) =>
  callSocket({ socketPath, program: 'server', method: 'echo', params: {}, ...options } as never)

const asRoot = process.getuid?.() === 0 ? test : test.skip

describe('a call', () => {
  test('default: returns the result', async () => {
    const { path } = await serve({ echo: async (params) => params })
    expect(await call(path, { params: { name: 'größer €' } })).toEqual({ name: 'größer €' })
  })

  test('behavior: an answer of 9 MiB', async () => {
    const { path } = await serve({ echo: async () => 'x'.repeat(9 * 1024 * 1024) })
    expect(await call(path)).toHaveLength(9 * 1024 * 1024)
  })

  test("error: the program's own, with its code and data", async () => {
    const { path } = await serve({
      echo: async () => {
        throw new JSONRPCErrorException('It is too much.', -32_003, { limit: '5' })
      },
    })
    await expect(call(path)).rejects.toMatchObject({
      name: 'CallRefusedError',
      code: 'CALL_REFUSED',
      shortMessage: 'It is too much.',
      rpcCode: -32_003,
      data: { limit: '5' },
    })
  })

  test.each<[string, string, (socket: Socket) => void]>([
    ['ends the connection', 'closed the connection without an answer', (socket) => socket.end()],
    ['breaks off within its answer', 'closed the connection without an answer', (socket) => socket.end('{"jsonrpc"')],
    ['sends 11 MiB', 'closed the connection without an answer', (socket) => socket.write('x'.repeat(11 * 1024 ** 2))],
    ['sends no JSON', 'sent an answer that is not JSON-RPC 2.0', (socket) => socket.write('x\n')],
    ['sends another version', 'sent an answer that is not JSON-RPC 2.0', (socket) => socket.write('{"result":1}\n')],
    ['is silent', 'did not answer within 0.05 s', () => {}],
  ])('error: the program %s', async (_what, reason, answer) => {
    const path = await serveRaw(answer)
    await expect(call(path, { timeoutMs: reason.startsWith('did not') ? 50 : 10_000 })).rejects.toMatchObject({
      code: 'SOCKET_CALL_FAILED',
      fault: 'no_answer',
      shortMessage: `The server ${reason}. The command may have been executed: check before you repeat it.`,
    })
  })
})

describe('a socket that is not trusted', () => {
  test('error: missing', async () => {
    const { path } = createFolder()
    await expect(call(path)).rejects.toMatchObject({
      fault: 'missing',
      shortMessage: `There is no socket at ${path}: start the server, or check the path.`,
    })
  })

  test('error: nothing listens', async () => {
    const { path } = createFolder()
    await leaveStaleSocket(path)
    chmodSync(path, 0o600)
    await expect(call(path)).rejects.toMatchObject({
      fault: 'not_listening',
      shortMessage: `No server is listening on ${path}: start it first.`,
    })
  })

  test('error: a file, and a link to a socket', async () => {
    const { folder, path } = await serve({ echo: async () => 1 })
    const [file, link] = [join(folder, 'file'), join(folder, 'link')]
    writeFileSync(file, '', { mode: 0o600 })
    symlinkSync(path, link)
    await expect(call(file)).rejects.toMatchObject({ fault: 'not_a_socket' })
    await expect(call(link)).rejects.toMatchObject({ fault: 'not_a_socket' })
  })

  test('error: a mode that lets others connect', async () => {
    const { path } = await serve({ echo: async () => 1 })
    chmodSync(path, 0o620)
    await expect(call(path)).rejects.toMatchObject({
      fault: 'open_to_others',
      shortMessage: `Other users can access ${path} (mode 620): its mode must be 600.`,
    })
  })

  test("error: another user's socket, unless the caller is root", async () => {
    const { path } = await serve({ echo: async () => 1 })
    const own = process.getuid?.() ?? 0
    jest.spyOn(process as { getuid(): number }, 'getuid').mockReturnValue(own + 1)
    await expect(call(path)).rejects.toMatchObject({
      fault: 'other_owner',
      shortMessage: `${path} belongs to another user (uid ${own}): run this command as that user or as root.`,
    })
  })

  asRoot("behavior: root may call another user's socket", async () => {
    const { path } = await serve({ echo: async () => 1 })
    chownSync(path, 12_345, 12_345)
    expect(await call(path)).toBe(1)
  })
})
