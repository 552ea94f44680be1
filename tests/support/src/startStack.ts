import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, type DevnetPool, type DevnetSeries, startDevnet } from '@firmquote/devnet'
import { type Servers, type ServersOptions, startServers } from './startServers.ts'

/** A chain and a server on it, all real processes on free ports; a cluster's instances if the run asks for them. */
export type Stack = Pick<Servers, 'url' | 'logs'> & {
  devnet: Devnet
  servers: Servers
  /** Base URL of one server, chosen round-robin by `turn`. */
  urlOf(turn: number): string
  /** A pool and a series of about three months. */
  series: Pick<DevnetPool, 'poolId'> & Pick<DevnetSeries, 'seriesKey'>
  /** Pauses each server process until `resume`. */
  pause(): void
  resume(): void
  /** A folder for the test's files, removed with the stack. */
  folder: string
  stop(): Promise<void>
}

/** Options of a stack. `blockTime`: seconds between blocks; if absent, the chain only mines on transactions. */
export type StackOptions = ServersOptions & { blockTime?: number }

/** Starts a devnet and a `firmquote-server` on it. `environment` is added to the server's environment. */
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
  // A chain that only mines on transactions may have an old newest block.
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
