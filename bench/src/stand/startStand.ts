import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { QuoteDomain } from '@firmquote/core'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import { type Hex, keccak256, maxUint256, numberToHex, stringToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { createTemporaryDirectory } from '../processes.ts'

/** How the stand is set up; everything is optional. */
export type StandOptions = {
  /** How many funded makers there are. Default: 200. */
  makers?: number
  /** Settings of the server, by the names of its environment variables. */
  settings?: Record<string, string>
  /** Maps the node's address to the one that the server uses: a proxy's. */
  rpcUrl?: (nodeUrl: string) => string | Promise<string>
}

/** A devnet with funded makers and the server before it, each a process of its own. */
export type Stand = {
  /** `http://localhost:<port>`; it listens on 127.0.0.1. */
  url: string
  /** `ws://localhost:<port>/ws/rfq`, which is what backers sign. */
  wsUrl: string
  /** The server's process. */
  pid: number
  domain: QuoteDomain
  devnet: Devnet
  pools: Devnet['pools']
  /** The pool and the series of auctions. */
  series: { poolId: Hex; seriesKey: Hex }
  /** Funded with loan tokens, which the quote market may take. The same on every run. */
  makers: readonly DevnetAccount[]
  /** Stops the server, then the chain, and removes the database. */
  stop(): Promise<void>
}

/** A program of this repository that listens. */
export type Program = { url: string; pid: number; stop(): Promise<void> }

/** Limits that an operator raises for a service as busy as the benchmark makes it; every check stays on. */
export const roomySettings = {
  STORED_QUOTES_PER_MAKER: '1000000',
  MAX_SOCKETS: '20000',
  MAX_CONNECTIONS: '100000',
  CONNECTIONS_PER_NETWORK: '100000',
  PENDING_SOCKETS: '20000',
  PENDING_SOCKETS_PER_NETWORK: '20000',
  OPEN_AUCTIONS: '100000',
  RUNNING_JUDGEMENTS: '100000',
  RFQS_PER_MINUTE: '1000000',
  OPEN_RFQS: '100000',
  LOG_LEVEL: 'error',
}

/** The server as an operator starts it. */
export const serverMain = new URL('../../../apps/server/src/main.ts', import.meta.url)

/** Starts a real chain and, before it, the server as an operator would. Nothing is left running when that fails. */
export async function startStand(options: StandOptions = {}): Promise<Stand> {
  const { makers: count = 200, settings = {}, rpcUrl = (url: string) => url } = options
  await using stack = new AsyncDisposableStack()
  // Blocks are as frequent as on the chain that the service is made for.
  const devnet = await startDevnet({ blockTime: 2 })
  stack.defer(devnet.stop)
  const makers = Array.from({ length: count }, (_, index) => {
    const privateKey = keccak256(stringToHex(`firmquote bench maker ${index}`))
    return { address: privateKeyToAddress(privateKey), privateKey }
  })
  await fundMakers(devnet, makers)
  const server = await startProgram(serverMain, { RPC_URL: await rpcUrl(devnet.rpcUrl), ...settings })
  stack.defer(server.stop)
  const { chainId, contracts, pools } = devnet
  const [{ poolId, series }] = pools
  const running = stack.move()
  return {
    url: server.url,
    wsUrl: `${server.url.replace(/^http/, 'ws')}/ws/rfq`,
    pid: server.pid,
    domain: { chainId, quoteMarket: contracts.quoteMarket },
    devnet,
    pools,
    series: { poolId, seriesKey: series[1]?.seriesKey ?? poolId },
    makers,
    stop: () => running.disposeAsync(),
  }
}

/**
 * Starts a program with an empty `DATA_DIR`, and waits until it prints `ready <url>`. It has a channel to this process and
 * so ends with it.
 *
 * @throws {TypeError} when it ends before it is ready; its own message is on the terminal.
 */
export async function startProgram(file: URL, settings: Record<string, string>): Promise<Program> {
  const directory = createTemporaryDirectory()
  const child = spawn(process.execPath, [fileURLToPath(file)], {
    env: { ...process.env, ...roomySettings, PORT: '0', DATA_DIR: directory.path, ...settings },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    // A process group of its own: Ctrl-C in a terminal reaches this process alone, which then stops everything in order.
    detached: true,
  })
  const exited = once(child, 'exit').then(directory.remove)
  const url = await new Promise<string>((resolve, reject) => {
    // Reads to the end, so that the program never waits for a full pipe.
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      if (line.startsWith('ready ')) resolve(line.slice(6))
    })
    void exited.then(() => reject(new TypeError(`${file} ended before it was ready.`)))
  })
  return {
    url,
    pid: child.pid ?? -1,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Gives every maker loan tokens and an allowance for the quote market, by the node's test methods and in few requests. */
async function fundMakers({ rpcUrl, contracts }: Devnet, makers: readonly DevnetAccount[]): Promise<void> {
  const { loanToken, quoteMarket } = contracts
  // Raw units of 6 decimals: more than all quotes of a run together.
  const balance = numberToHex(1_000_000_000_000_000n)
  const calls = makers.flatMap(({ address }) => [
    { method: 'anvil_dealERC20', params: [address, loanToken, balance] },
    { method: 'anvil_setERC20Allowance', params: [address, quoteMarket, loanToken, numberToHex(maxUint256)] },
  ])
  for (let start = 0; start < calls.length; start += 200) await sendBatch(rpcUrl, calls.slice(start, start + 200))
  await sendBatch(rpcUrl, [{ method: 'evm_mine', params: [] }])
}

async function sendBatch(rpcUrl: string, calls: readonly { method: string; params: readonly unknown[] }[]) {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const results = (await answer.json()) as { error?: { message: string } }[]
  const failed = results.find(({ error }) => error)
  if (failed?.error) throw new TypeError(`The makers could not be funded: ${failed.error.message}`)
}
