import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { rounds } from '@firmquote/test-support/trial'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { stopAfter } from './stopAfter.ts'

// A server with 500 backers crashes and restarts. Each round checks that all 500 are authenticated again within 10 s
// after the server starts listening, so that they miss no whole auction. All backers are real `RFQWebSocketClient`s
// with distinct keys, in two processes. The server uses its default limits on unauthenticated connections: 64 in total,
// and 8 per network.

const backerCount = 500
const processCount = 2
const longestMs = 10_000
const repeats = Math.max(1, Math.ceil(rounds / 5))

/** Runs backers, and reports when all of them are authenticated and when none is. */
const program = `
import { keccak256, toHex } from 'viem'
import { BackerSigner, RFQWebSocketClient } from '@firmquote/sdk'
const { URL_, CHAIN_ID, QUOTE_MARKET, POOL, FIRST, COUNT, NETWORKS } = process.env
let up = 0
for (let index = Number(FIRST); index < Number(FIRST) + Number(COUNT); index++) {
  const network = index % Number(NETWORKS)
  const headers = { 'x-forwarded-for': \`10.\${network >> 8}.\${network & 255}.1\` }
  class Socket extends WebSocket { constructor(url) { super(url, { headers }) } }
  const config = { chainId: Number(CHAIN_ID), quoteMarketAddress: QUOTE_MARKET, interestRatePoolAddress: POOL, factoryAddress: POOL }
  const signer = new BackerSigner(config)
  signer.setPrivateKey(keccak256(toHex(\`backer \${index}\`)))
  let isUp = false
  const client = new RFQWebSocketClient({ ...config, url: URL_, signer, WebSocket: Socket }, {
    onAuthenticated() {
      isUp = true
      up += 1
      if (up === Number(COUNT)) process.send({ all: Date.now() })
    },
    onClose() {
      if (!isUp) return
      isUp = false
      up -= 1
      if (up === 0) process.send({ none: Date.now() })
    },
  })
  client.connect({ retry: true }).catch((error) => { throw error })
}
`

let devnet: Devnet
const using = stopAfter(afterAll)
const started = stopAfter(afterEach)
beforeAll(async () => {
  devnet = using(await startDevnet())
}, 60_000)

/** Starts a server that can crash and restart on a fixed port and directory, and its backers. */
async function startFixture(networks: number) {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-reconnects-'))
  let port = '0'
  const startServer = async (): Promise<Program> => {
    const server = startProgram(programOf('server'), [], {
      PORT: port,
      RPC_URL: devnet.rpcUrl,
      DATA_DIR: folder,
      HEAD_DEGRADED_SECONDS: '36000',
      HEAD_STALE_SECONDS: '36000',
      // Each backer sends its network's address in a header.
      TRUST_PROXY: 'true',
    })
    const [, url = ''] = await server.says(/^ready (http:\S+)$/m)
    port = new URL(url).port
    return server
  }
  let server = await startServer()
  const children: ChildProcess[] = []
  for (let index = 0; index < processCount; index++) {
    const child = spawn(process.execPath, ['--input-type=module', '-'], {
      cwd: join(import.meta.dirname, '..'),
      env: {
        PATH: process.env['PATH'],
        URL_: `ws://localhost:${port}/ws/rfq`,
        CHAIN_ID: `${devnet.chainId}`,
        QUOTE_MARKET: devnet.contracts.quoteMarket,
        POOL: devnet.contracts.interestRatePool,
        FIRST: `${(index * backerCount) / processCount}`,
        COUNT: `${backerCount / processCount}`,
        NETWORKS: `${networks}`,
      },
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    })
    child.stdin?.end(program)
    children.push(child)
  }
  const told = (what: 'all' | 'none') =>
    Promise.all(
      children.map(
        (child) =>
          new Promise<number>((resolve) => {
            const look = (message: Partial<Record<typeof what, number>>) => {
              if (message[what] === undefined) return
              child.off('message', look)
              resolve(message[what])
            }
            child.on('message', look)
          }),
      ),
    ).then((times) => Math.max(...times))
  await told('all')
  return {
    /**
     * Crashes and restarts the server. Resolves to the milliseconds from when the server listens until all backers have
     * reconnected.
     */
    async restart(awayMs: number): Promise<number> {
      await Promise.all([told('none'), server.stop('SIGKILL')])
      const all = told('all')
      await sleep(awayMs)
      server = await startServer()
      const readyAt = Date.now()
      return (await all) - readyAt
    },
    async stop() {
      for (const child of children) child.kill()
      await server.stop('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// With eight networks, many backers share each network's connection slots. A rejection counts as an attempt, and a
// client that has made 20 attempts backs off further.
describe.each([500, 8].slice(0, rounds >= 5 ? 2 : 1))('of %d networks', (networks) => {
  test.each([0, 3_000, 10_000])(
    'behavior: all backers reconnect within 10 s of a restart, %d ms after the crash',
    async (awayMs) => {
      for (let repeat = 0; repeat < repeats; repeat++) {
        const fixture = started(await startFixture(networks))
        const backAfterMs = await fixture.restart(awayMs)
        process.stdout.write(`${networks} networks, away ${awayMs} ms: all back ${backAfterMs} ms after it listens\n`)
        expect(backAfterMs).toBeLessThan(longestMs)
        await fixture.stop()
      }
    },
    60_000 + repeats * 60_000,
  )
})
