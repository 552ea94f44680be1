import { fileURLToPath } from 'node:url'
import type { QuoteDomain } from '@firmquote/core'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import { createBenchMakers, fundMakers } from './benchMakers.ts'
import type { Child } from './startChild.ts'
import { startOnDatabase } from './startOnDatabase.ts'

/** How the stand is set up; everything is optional. */
export type StandOptions = {
  /** How many funded makers there are. Default: 200. */
  makers?: number
  /** Seconds between blocks. Default: 2, as on the chain that the service is made for. */
  blockTime?: number
  /** Settings of the server, by the names of its environment variables. */
  settings?: Record<string, string>
  /** A proxy between the server and the node: given the node's address, it gives the one that the server uses. */
  rpcUrl?: (nodeUrl: string) => string | Promise<string>
  /** A directory for a CPU profile of the server, which it writes when it stops. */
  cpuProfile?: string
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
  /** Loan tokens and an allowance for the quote market are theirs. The same on every run. */
  makers: readonly DevnetAccount[]
  /** Ends the server, in order, then the chain, and removes the database; again is harmless. */
  stop(): Promise<void>
}

/** What an operator raises for a service that is as busy as the benchmark makes it; every check stays on. */
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
export const serverMain = fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url))

/** Starts a real chain and, before it, the server as an operator would. Nothing is left running when that fails. */
export async function startStand(options: StandOptions = {}): Promise<Stand> {
  const { makers: count = 200, blockTime = 2, settings = {}, rpcUrl = (url: string) => url, cpuProfile } = options
  const devnet = await startDevnet({ blockTime })
  let server: Child | undefined
  const stop = async () => {
    await server?.stop()
    await devnet.stop()
  }
  try {
    const makers = createBenchMakers(count)
    await fundMakers(
      devnet,
      makers.map(({ address }) => address),
    )
    const nodeUrl = await rpcUrl(devnet.rpcUrl)
    server = await startOnDatabase(
      serverMain,
      (directory) => ({ ...roomySettings, PORT: '0', RPC_URL: nodeUrl, DATA_DIR: directory, ...settings }),
      cpuProfile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${cpuProfile}`],
    )
    const { url, pid } = server
    return {
      url,
      wsUrl: `${url.replace(/^http/, 'ws')}/ws/rfq`,
      pid,
      domain: { chainId: devnet.chainId, quoteMarket: devnet.contracts.quoteMarket },
      devnet,
      pools: devnet.pools,
      makers,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
