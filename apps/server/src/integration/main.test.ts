import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { startingEnvironment, startProgram } from '@firmquote/test-support/startProgram'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { startRpcProxy } from '../../test/rpcProxy.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
let devnet: Devnet
let directory: string
const children = new Set<ChildProcess>()
/** Whether this machine can change the limits of a running process. */
const canLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0

function limitOf(pid: number): number {
  return Number(execFileSync('prlimit', ['--pid', `${pid}`, '--nofile', '--raw', '--noheadings', '-o', 'SOFT']))
}

/** Sets the soft limit, and a hard limit that allows raising it again. */
function limitDescriptors(pid: number, soft: number): void {
  execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${soft}:`])
}

beforeAll(async () => {
  devnet = await startDevnet()
  directory = mkdtempSync(join(tmpdir(), 'firmquote-main-'))
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(async () => {
  await devnet.stop()
  rmSync(directory, { recursive: true, force: true })
})

function start(environment: Record<string, string> = {}, args: readonly string[] = []) {
  const program = startProgram(main, args, {
    PORT: '0',
    RPC_URL: devnet.rpcUrl,
    DATA_DIR: join(directory, 'data'),
    // This chain mines only on transactions, so its newest block may be old.
    HEAD_DEGRADED_SECONDS: '3600',
    HEAD_STALE_SECONDS: '3600',
    ...environment,
  })
  children.add(program.child)
  return { ...program, ready: async () => (await program.says(/^ready (http:\/\/\S+)$/m))[1] ?? '' }
}

describe('firmquote-server', () => {
  test('default', async () => {
    const { child, text, ready, ended } = start({ RFQS_PER_MINUTE: '7', OPEN_AUCTIONS: '50' })
    const url = await ready()
    const config = await (await fetch(`${url}/api/v1/config`)).json()
    expect(config).toMatchObject({
      apiVersion: 'v1',
      chainId: 8453,
      auction: { durationMs: 15_000, quotesPerBacker: 1 },
      limits: { rfqsPerMinute: 7, takerProofsPerMinute: 35, openRfqs: 4, openAuctions: 50 },
    })
    const health = await (await fetch(`${url}/api/v1/health`)).json()
    expect(health).toMatchObject({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(text.out).toBe(`ready ${url}\n`)
    const lines = text.err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string })
    expect(lines.map(({ msg }) => msg).slice(0, 2)).toEqual(['chain synced', 'ready'])
    const memory = { heapLimitMiB: expect.any(Number), availableMiB: expect.any(Number) }
    const adminSocket = join(directory, 'data', 'admin.sock')
    expect(lines[1]).toMatchObject({ level: 'info', url, adminSocket, ...memory })
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' })
  })

  test('behavior: Ctrl-C during an auction lets it run to completion', async () => {
    const { child, ready, ended } = start({ AUCTION_DURATION_MS: '1500' })
    const url = await ready()
    const [{ poolId, series }] = devnet.pools
    const response = await fetch(`${url}/api/v1/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poolId, seriesKey: series[0]?.seriesKey, notional: '1000000000' }),
    })
    child.kill('SIGINT')
    const events = await response.text()
    expect(events).toMatch(/event: started[\s\S]*event: done/)
    expect(await ended).toBe(0)
  })

  test('error: all errors in the environment', async () => {
    const { text, ended } = start({ PORT: 'none', LOG_LEVEL: 'loud' })
    expect(await ended).toBe(1)
    expect(text.err).toMatch(/2 errors:\n {2}PORT is "none".*\n {2}LOG_LEVEL is "loud"/)
    expect(text.out).toBe('')
  })

  test("behavior: on a devnet, the page receives the node's path and an account", async () => {
    const { address } = devnet.borrowers[0]
    const { ready, child, ended } = start({ DEVNET_RELAY: 'true', DEMO_ACCOUNT: address.toLowerCase() })
    const url = await ready()
    const page = await (await fetch(url)).text()
    expect(page).toContain('<meta name="firmquote:devnet-rpc" content="/devnet/rpc"')
    expect(page).toContain(`<meta name="firmquote:demo-account" content="${address}"`)
    const answer = await fetch(`${url}/devnet/rpc`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
    })
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x2105' })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('error: a node that is not a devnet is not relayed, reported in one sentence', async () => {
    const node = await startRpcProxy(devnet.rpcUrl)
    node.interfere = ({ method }) =>
      method === 'web3_clientVersion' ? { result: 'Geth/v1.16.4-stable/linux-amd64' } : undefined
    const { text, ended } = start({ DEVNET_RELAY: 'true', RPC_URL: node.url })
    expect(await ended).toBe(1)
    expect(text.err).toMatch(/^DEVNET_RELAY requires a devnet: .*"Geth\/v1\.16\.4-stable\/linux-amd64".*\n$/)
    expect(text.out).toBe('')
    await node.close()
  })

  test('error: an unreachable PostgreSQL is reported in one sentence, without the password', async () => {
    const { text, ended } = start({ DATABASE_URL: 'postgres://firmquote:secret-word@127.0.0.1:1/firmquote' })
    expect(await ended).toBe(1)
    expect(text).toEqual({
      out: '',
      err: 'The database 127.0.0.1:1/firmquote cannot be used: no server listens there; check DATABASE_URL.\n',
    })
  })

  test.each([
    ['--no-addons', /^SQLite is a native add-on, which --no-addons in NODE_OPTIONS forbids; remove it\.\n$/],
    [
      '--permission --allow-fs-read=* --allow-fs-write=* --allow-worker',
      /^SQLite is a native add-on, which --permission in NODE_OPTIONS forbids; .* --allow-addons and --allow-worker\.\n$/m,
    ],
  ])('error: NODE_OPTIONS=%s is one sentence', async (option, message) => {
    const { NODE_OPTIONS = '' } = startingEnvironment()
    const { text, ended } = start({ NODE_OPTIONS: `${NODE_OPTIONS} ${option}` })
    expect(await ended).toBe(1)
    expect(text.err).toMatch(message)
  })

  ;(canLimit ? test : test.skip)('error: too few file descriptors for the settings are one sentence', async () => {
    // Node raises its soft limit to the hard one.
    const limited = spawnSync('sh', ['-c', 'ulimit -n 300 && exec "$0" "$1"', process.execPath, main], {
      env: { PATH: process.env['PATH'], ...startingEnvironment(), RPC_URL: devnet.rpcUrl, MAX_CONNECTIONS: '45' },
    })
    expect(limited.status).toBe(1)
    expect(String(limited.stderr)).toMatch(
      /^This process may open 300 files, but MAX_CONNECTIONS=45 needs 301; raise the limit with ulimit -n, .*, or set MAX_CONNECTIONS to 44 or less\.\n$/,
    )
  })

  ;(canLimit ? test : test.skip)(
    'error: a server that runs out of file descriptors is not ready, and says so',
    async () => {
      const { child, ready, says, ended } = start()
      const url = await ready()
      const pid = child.pid ?? 0
      const open = async () =>
        Number(/^process_open_fds (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])
      const limit = limitOf(pid)
      limitDescriptors(pid, (await open()) + 4)
      await says(/"level":"error".*"msg":"out of file descriptors; new connections are dropped"/)
      const response = await fetch(`${url}/readyz`)
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { detail: expect.stringContaining('no file descriptors left') },
      ])
      limitDescriptors(pid, limit)
      await says(/"msg":"file descriptors are available again"/)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    },
  )

  test('error: a taken port is one sentence', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { text, ended } = start({ PORT: String(port) })
    expect(await ended).toBe(1)
    expect(text.err).toBe(
      `Port ${port} is already in use; stop the process that is listening on it, or set PORT to a different port.\n`,
    )
    await new Promise((resolve) => other.close(resolve))
  })

  test('error: a second server on the directory is reported in one sentence that names the first', async () => {
    const first = start()
    await first.ready()
    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.text.err).toMatch(
      new RegExp(
        `^Another server is using .*: process ${first.child.pid}, since \\d{4}-.*Z; stop that process first.*DATA_DIR.*\\n$`,
      ),
    )
    expect(second.text.out).toBe('')
    first.child.kill('SIGKILL')
    await first.ended
    const third = start()
    await third.ready()
    third.child.kill('SIGTERM')
    expect(await third.ended).toBe(0)
  })

  test('error: an idle server stops accepting work once its lock has been removed, and says what to do', async () => {
    const data = join(directory, 'unlocked')
    const { ready, says, child, ended } = start({ DATA_DIR: data })
    const url = await ready()
    rmSync(join(data, 'owner.db'))
    const [line] = await says(/^.*failed to write to the database.*$/m)
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      err: {
        message: expect.stringMatching(
          /^The lock .*owner\.db was removed .*stop every other server on it, then restart/,
        ),
      },
    })
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 503, code: 'STORAGE_UNAVAILABLE' })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('behavior: the program backs up a running server', async () => {
    const environment = { DATA_DIR: join(directory, 'copied') }
    const { ready, child, ended } = start(environment)
    await ready()
    const copy = join(directory, 'copy.db')
    const backup = start(environment, ['backup', copy])
    expect([await backup.ended, backup.text]).toEqual([0, { out: '', err: '' }])
    const again = start(environment, ['backup', copy])
    expect(await again.ended).toBe(1)
    const verify = (environment: Record<string, string> = {}) =>
      start({ RPC_URL: '', ...environment }, ['backup', '--verify', copy])
    const { quoteMarket } = devnet.contracts
    const verified = verify({ CHAIN_ID: '8453', QUOTE_MARKET: quoteMarket })
    expect([await verified.ended, verified.text.err]).toEqual([0, ''])
    expect(verified.text.out).toMatch(
      /^chain {6}8453, genesis block 0x\w{64}\nmarket {5}0x\w{40}\nschema {5}\w+\nblock {6}\d+, \S+Z\nquotes {5}0\nauctions {3}0\npositions {2}0\nThe backup is intact\.\n$/,
    )
    const other = verify({ CHAIN_ID: '1' })
    expect([await other.ended, other.text.out]).toEqual([1, ''])
    expect(other.text.err).toMatch(/^The backup \S+copy\.db is of another service: its CHAIN_ID is 8453, not 1\.\n$/)
    const nameless = start({}, ['backup', '--verify'])
    expect([await nameless.ended, nameless.text.err]).toEqual([1, expect.stringContaining('backup --verify: unknown')])
    expect(again.text.err).toMatch(/^Failed to copy the database .* to .*copy\.db: EEXIST.*\n$/)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    const restored = join(directory, 'restored')
    mkdirSync(restored)
    renameSync(copy, join(restored, 'firmquote.db'))
    const next = start({ DATA_DIR: restored })
    await next.ready()
    next.child.kill('SIGTERM')
    expect(await next.ended).toBe(0)
  })

  test('error: a database from another chain is reported in one sentence', async () => {
    const environment = { DATA_DIR: join(directory, 'gone') }
    const first = start(environment)
    await first.ready()
    first.child.kill('SIGTERM')
    await first.ended
    // Uses the same contracts on a different chain.
    const other = await startDevnet()
    try {
      const second = start({ ...environment, RPC_URL: other.rpcUrl })
      expect(await second.ended).toBe(1)
      expect(second.text.err).toMatch(/^The database .* belongs to another chain.*DATA_DIR.*\n$/)
    } finally {
      await other.stop()
    }
  })

  test('behavior: --help and --version need no configuration, other options are refused', async () => {
    const help = start({ RPC_URL: '' }, ['--help'])
    const version = start({ RPC_URL: '' }, ['--version'])
    const wrong = start({}, ['--verbose'])
    expect(await Promise.all([help.ended, version.ended, wrong.ended])).toEqual([0, 0, 1])
    expect(help.text.out).toMatch(/Basic:\n\n {2}RPC_URL [\s\S]* LOG_LEVEL [\s\S]*Advanced:\n\n[\s\S]* OPEN_AUCTIONS /)
    expect(version.text.out).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
    expect(wrong.text.err).toMatch(/^--verbose: unknown option or command/)
  })
})
