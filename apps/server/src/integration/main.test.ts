import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { startProgram } from '@firmquote/test-support/startProgram'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { startRpcProxy } from '../../test/rpcProxy.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
let devnet: Devnet
let directory: string
const children = new Set<ChildProcess>()

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
    expect(lines[1]).toMatchObject({ level: 'info', url })
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

  test('behavior: the program backs up a running server', async () => {
    const environment = { DATA_DIR: join(directory, 'copied') }
    const { ready, child, ended } = start(environment)
    await ready()
    const copy = join(directory, 'copy.db')
    const backup = start(environment, ['backup', copy])
    expect([await backup.ended, backup.text]).toEqual([0, { out: '', err: '' }])
    const again = start(environment, ['backup', copy])
    expect(await again.ended).toBe(1)
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
