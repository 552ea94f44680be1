import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, type DevnetPool, type DevnetSeries, startDevnet } from '@firmquote/devnet'
import { type Servers, type ServersOptions, startServers } from './startServers.ts'

/** A chain and a server on it, all real processes on ports of their own; instances of a cluster if the run asks for them. */
export type Stack = Pick<Servers, 'url' | 'logs'> & {
  devnet: Devnet
  servers: Servers
  /** The address of a server for each turn, round and round. */
  urlOf(turn: number): string
  /** A pool and a series of about three months. */
  series: Pick<DevnetPool, 'poolId'> & Pick<DevnetSeries, 'seriesKey'>
  /** Stops each server between two instructions, until `resume`. */
  pause(): void
  resume(): void
  /** For whatever a test writes; gone with the stack. */
  folder: string
  stop(): Promise<void>
}

/** How a stack is started. `blockTime`: seconds between blocks; absent, the chain mines on transactions only. */
export type StackOptions = ServersOptions & { blockTime?: number }

/** Starts a devnet and `firmquote-server` on it; `environment` is added to the server's. */
export async function startStack(
  environment: Record<string, string> = {},
  { blockTime, ...options }: StackOptions = {},
): Promise<Stack> {
  const devnet = await startDevnet(blockTime === undefined ? {} : { blockTime })
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-stack-'))
  let servers: Servers | undefined
  const stop = async () => {
    await servers?.stop()
    await devnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  // The newest block of a chain that mines on transactions only may be old.
  const patience = blockTime === undefined ? { HEAD_DEGRADED_SECONDS: '36000', HEAD_STALE_SECONDS: '36000' } : {}
  try {
    const settings = { RPC_URL: devnet.rpcUrl, ...patience, ...environment }
    const started = await startServers(settings, { proxied: true, ...options })
    servers = started
    const { url, urls, logs, signal } = started
    const [{ poolId, series }] = devnet.pools
    return {
      ...{ devnet, servers: started, url, folder, logs, stop },
      urlOf: (turn) => urls[turn % urls.length] ?? url,
      series: { poolId, seriesKey: series[2]?.seriesKey ?? poolId },
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
    }
  } catch (error) {
    await stop()
    throw error
  }
}
