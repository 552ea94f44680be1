import { type ChildProcess, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { openRawConnection } from '@firmquote/test-support/rawConnection'
import { programOf, startingEnvironment, startProgram } from '@firmquote/test-support/startProgram'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { startRpcProxy } from '../../test/rpcProxy.ts'

let devnet: Devnet
let folder: string
let socket: string
const children = new Set<ChildProcess>()

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fq-'))
  socket = join(folder, 'data', 'admin.sock')
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  rmSync(folder, { recursive: true, force: true })
})

function start(environment: Record<string, string> = {}, args: readonly string[] = []) {
  const program = startProgram(programOf('server'), args, {
    PORT: '0',
    RPC_URL: devnet.rpcUrl,
    DATA_DIR: join(folder, 'data'),
    // This chain mines only on transactions, so its newest block may be old.
    HEAD_DEGRADED_SECONDS: '3600',
    HEAD_STALE_SECONDS: '3600',
    ...environment,
  })
  children.add(program.child)
  return { ...program, ready: async () => (await program.says(/^ready (http:\/\/\S+)$/m))[1] ?? '' }
}

/** Runs `firmquote-server admin` to its end. */
async function admin(args: readonly string[], environment: Record<string, string> = {}) {
  const { ended, text } = start(environment, ['admin', ...args])
  const code = await ended
  return { code, ...text }
}

describe('a running server', () => {
  test('default: status and auctions, for people and as JSON', async () => {
    const url = await start({ AUCTION_DURATION_MS: '60000' }).ready()
    const people = await admin(['status'])
    expect(people).toMatchObject({ code: 0, err: '' })
    expect(people.out).toMatch(/^status +ok\nversion +\d+\.\d+\.\d+\S*\nuptime +\d+ s\n/)
    expect(people.out).toContain(url)
    expect(people.out).toMatch(/^database +sqlite, ok$/m)
    const json = await admin(['status', '--json'])
    expect(JSON.parse(json.out)).toMatchObject({
      status: 'ok',
      url,
      database: { kind: 'sqlite', status: 'ok' },
      node: { preferred: true },
      clock: { offsetMs: expect.any(Number) },
      auctions: { open: 0 },
      backers: { connected: 0 },
    })
    const [{ poolId, series }] = devnet.pools
    const opened = await fetch(`${url}/api/v1/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poolId, seriesKey: series[0]?.seriesKey, notional: '1000000000' }),
    })
    const list = JSON.parse((await admin(['auctions', 'list', '--json'])).out)
    expect(list).toMatchObject({ open: 1, auctions: [{ status: 'open', poolId, quotes: 0 }] })
    const { id } = list.auctions[0]
    expect((await admin(['auctions', 'list'])).out).toMatch(new RegExp(`^${id} +\\d+ s +0 of 0 +1000000000 `, 'm'))
    expect((await admin(['auctions', 'show', id])).out).toMatch(new RegExp(`^auction +${id}\nstatus +open\n`))
    await opened.body?.cancel()
  })

  test('default: a ban with its audit entry, for people and as JSON', async () => {
    await start().ready()
    const maker = devnet.backers[0].address
    const banned = await admin([
      'makers',
      'ban',
      maker.toLowerCase(),
      '--for',
      '24h',
      '--why',
      'never fills',
      '--as',
      'ana',
    ])
    expect(banned).toMatchObject({ code: 0, err: '' })
    expect(banned.out).toMatch(new RegExp(`^${maker}: banned until \\d{4}-\\S+Z: never fills\n$`))
    expect((await admin(['makers', 'list'])).out).toMatch(new RegExp(`^${maker} +0 +banned until `, 'm'))
    expect((await admin(['makers', 'show', maker])).out).toMatch(/^published quotes +0$/m)
    expect((await admin(['status'])).out).toMatch(/^makers banned +1$/m)
    expect(await admin(['makers', 'unban', maker])).toMatchObject({ code: 0, out: `${maker}: may connect\n` })
    expect(await admin(['makers', 'unban', maker])).toEqual({
      code: 1,
      out: '',
      err: `The maker ${maker} is not banned.\n`,
    })
    const [unbanned, ban] = JSON.parse((await admin(['audit', '--json'])).out).entries
    expect(ban).toMatchObject({ who: 'ana', command: 'makers ban', subject: maker, why: 'never fills' })
    expect(unbanned).toMatchObject({ who: expect.stringMatching(/./), command: 'makers unban', why: null })
    expect((await admin(['audit', '--limit', '1'])).out).toMatch(
      /WHO \(UNVERIFIED\)[\s\S]*makers unban[\s\S]*--before 2\n$/,
    )
  })

  test('error: a ban without a reason, or with one that a terminal would execute', async () => {
    await start().ready()
    const maker = devnet.backers[0].address
    expect(await admin(['makers', 'ban', maker])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--why is missing/),
    })
    const hostile = await admin(['makers', 'ban', maker, '--why', 'a\u001b[2Jb'])
    expect(hostile).toMatchObject({ code: 1, err: expect.stringContaining('must not have control characters') })
    expect(JSON.parse((await admin(['audit', '--json'])).out).entries).toEqual([])
  })

  test('error: an unknown auction, invalid values and unknown commands', async () => {
    await start().ready()
    const id = '0'.repeat(32)
    expect(await admin(['auctions', 'show', id])).toEqual({
      code: 1,
      out: '',
      err: `There is no auction with the public id ${id}.\n`,
    })
    expect(await admin(['auctions', 'show', 'x'])).toMatchObject({ code: 2, out: '' })
    expect(await admin(['auction'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Unknown command "auction"/),
    })
    expect(await admin(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('auctions show ID') })
  })

  test('behavior: answers while the node is down, during a graceful stop, and again after kill -9', async () => {
    const node = await startRpcProxy(devnet.rpcUrl)
    try {
      const first = start({ RPC_URL: node.url, HEAD_STALE_SECONDS: '1', SYNC_INTERVAL_MS: '50' })
      await first.ready()
      node.interfere = () => ({ status: 503 })
      const state = async () => JSON.parse((await admin(['status', '--json'])).out).status
      while ((await state()) !== 'down');
      first.child.kill('SIGKILL')
      await first.ended
      expect(existsSync(socket)).toBe(true)
      expect(await admin(['status'])).toEqual({
        code: 1,
        out: '',
        err: `No server is listening on ${socket}: start it first.\n`,
      })
    } finally {
      await node.close()
    }
    const second = start({ AUCTION_DURATION_MS: '3000' })
    const url = await second.ready()
    const [{ poolId, series }] = devnet.pools
    const opened = await fetch(`${url}/api/v1/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poolId, seriesKey: series[0]?.seriesKey, notional: '1000000000' }),
    })
    const { ask } = await openRawConnection(socket)
    second.child.kill('SIGTERM')
    await second.says(/"msg":"stopping"/)
    const status = await ask({ jsonrpc: '2.0', id: 1, method: 'status', params: {} })
    expect(status).toMatchObject({ result: { auctions: { open: 1 } } })
    await opened.text()
    expect(await second.ended).toBe(0)
    expect(existsSync(socket)).toBe(false)
  })

  test('behavior: an issued key works at once, a revoked one does not, and limits change and survive a restart', async () => {
    const server = start({ OPEN_RFQS: '1' })
    const url = await server.ready()
    const [{ poolId, series }] = devnet.pools
    const request = async (key?: string) => {
      const answer = await fetch(`${url}/api/v1/rfq/quote/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) },
        body: JSON.stringify({ poolId, seriesKey: series[0]?.seriesKey, notional: '1000000000' }),
      })
      await answer.body?.cancel()
      return answer.status
    }
    const { code, out } = await admin(['keys', 'issue', 'acme', '--per-minute', '60', '--open', '2', '--json'])
    expect(code).toBe(0)
    const { key } = JSON.parse(out)
    expect([await request(), await request()]).toEqual([200, 429])
    expect([await request(key), await request(key), await request(key)]).toEqual([200, 200, 429])
    expect(await admin(['keys', 'revoke', 'acme', '--why', 'leaked'])).toMatchObject({ code: 0 })
    expect(await request(key)).toBe(400)
    expect((await admin(['limits', 'set', 'OPEN_RFQS', '2'])).out).toMatch(/^OPEN_RFQS +2 +store +1$/m)
    expect([await request(), await request()]).toEqual([200, 429])
    server.child.kill('SIGKILL')
    await server.ended
    const again = await start({ OPEN_RFQS: '1' }).ready()
    const config = await (await fetch(`${again}/api/v1/config`)).json()
    expect(config).toMatchObject({ limits: { openRfqs: 2 } })
    expect(JSON.stringify([server.text, await admin(['keys', 'list'])])).not.toContain(key)
  })

  test('behavior: neither the log nor the answers contain parameters or the key of a node', async () => {
    const { ready, text, child, ended } = start({
      RPC_URL: `${devnet.rpcUrl}/?key=secret-of-the-node`,
      LOG_LEVEL: 'trace',
    })
    await ready()
    const { ask, socket: connection } = await openRawConnection(socket)
    const call = (method: string, params: object) => ask({ jsonrpc: '2.0', id: 1, method, params })
    const answers = [
      await call('auctions.show', { id: 'secret-of-the-operator' }),
      await call('secret-of-the-method', {}),
      await call('status', {}),
    ]
    connection.destroy()
    expect(JSON.stringify(answers)).not.toMatch(/secret-of-the-(?:node|operator)/)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(text.err).toContain('"msg":"called over the socket"')
    expect(text.err).not.toMatch(/secret-of/)
  })
})

describe('the socket', () => {
  test('behavior: ADMIN_SOCKET names another path, and --socket does so for one command', async () => {
    const path = join(folder, 'other.sock')
    await start({ ADMIN_SOCKET: path }).ready()
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(existsSync(socket)).toBe(false)
    expect(await admin(['status'], { ADMIN_SOCKET: path })).toMatchObject({ code: 0 })
    expect(await admin(['status', '--socket', path])).toMatchObject({ code: 0 })
    expect(await admin(['status'])).toMatchObject({
      code: 1,
      err: `There is no socket at ${socket}: start the server, or check the path.\n`,
    })
  })

  test('error: with DATABASE_URL, the command needs ADMIN_SOCKET', async () => {
    expect(await admin(['status'], { DATABASE_URL: 'postgres://localhost/firmquote' })).toEqual({
      code: 2,
      out: '',
      err: 'A server with DATABASE_URL has no DATA_DIR: set ADMIN_SOCKET as for the server, or use --socket.\n',
    })
  })

  test('error: the server does not start at a path that another process owns', async () => {
    const path = join(folder, 'other.sock')
    const other = createServer()
    await new Promise<void>((listening) => other.listen(path, listening))
    const { ended, text } = start({ ADMIN_SOCKET: path })
    expect(await ended).toBe(1)
    expect(text.err).toBe(`Another server is using ${path}: stop it first, or choose another socket path.\n`)
    await new Promise((closed) => other.close(closed))
  })

  test('error: ADMIN_SOCKET in a folder that others can write, and one over 103 bytes', async () => {
    const shared = join(folder, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    const unsafe = start({ ADMIN_SOCKET: join(shared, 'a.sock') })
    const long = start({ ADMIN_SOCKET: join(folder, 'x'.repeat(100)), DATA_DIR: join(folder, 'data2') })
    expect([await unsafe.ended, await long.ended]).toEqual([1, 1])
    expect(unsafe.text.err).toMatch(/^Other users can write to .*shared \(mode 777\), so they could replace the socket/)
    expect(long.text.err).toMatch(/ is \d+ bytes too long for a Unix socket: choose a shorter path\.\n$/)
  })

  test('behavior: a DATA_DIR that cannot hold a socket does not prevent the start', async () => {
    const { ready, text } = start({ DATA_DIR: join(folder, 'x'.repeat(100)) })
    await ready()
    expect(text.err).toMatch(/"level":"warn".*"reason":".* bytes too long .*no admin socket/)
  })

  const isRoot = process.getuid?.() === 0
  const asRoot = isRoot ? test : test.skip
  asRoot(`error: another user achieves nothing${isRoot ? '' : ' [NOT RUN: needs root]'}`, async () => {
    chmodSync(folder, 0o755)
    const path = join(folder, 'open.sock')
    await start({ ADMIN_SOCKET: path }).ready()
    const script = `
      const socket = require('node:net').connect(process.argv[1])
      socket.on('error', ({ code }) => console.log(code)).on('connect', () => console.log('connected'))`
    const connect = (at: string) =>
      spawnSync(process.execPath, ['-e', script, at], {
        encoding: 'utf8',
        uid: 12_345,
        gid: 12_345,
        env: { ...startingEnvironment(), NODE_OPTIONS: '' },
      })
    // The socket's own mode refuses the user where the folder does not, and DATA_DIR hides everything in it.
    expect(connect(path)).toMatchObject({ stdout: 'EACCES\n' })
    expect(connect(join(folder, 'data', 'owner.db'))).toMatchObject({ stdout: 'EACCES\n' })
  })
})
