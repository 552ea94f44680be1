import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevnet } from '@firmquote/devnet'
import { type Servers, type ServersOptions, startServers } from './startServers.ts'

/**
 * A chain and a server that uses it, as real processes on free ports. Depending on the run's configuration, a cluster
 * replaces the server.
 */
export type Stack = Awaited<ReturnType<typeof startStack>>

/**
 * Options for starting a stack. `blockTime` is the number of seconds between blocks. If absent, the chain mines only
 * when there are transactions. `nodeFor` returns the URL at which servers reach the node, such as a proxy's.
 */
export type StackOptions = ServersOptions & { blockTime?: number; nodeFor?: (rpcUrl: string) => Promise<string> }

/** Starts a devnet and a `firmquote-server` that uses it. `environment` is added to the server's environment. */
export async function startStack(
  environment: Record<string, string> = {},
  { blockTime, nodeFor, ...options }: StackOptions = {},
) {
  const devnet = await startDevnet(blockTime === undefined ? {} : { blockTime })
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-stack-'))
  let servers: Servers | undefined
  const stop = async () => {
    await servers?.stop()
    await devnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  // If the chain mines only when there are transactions, its latest block may be old.
  const patience = blockTime === undefined ? { HEAD_DEGRADED_SECONDS: '36000', HEAD_STALE_SECONDS: '36000' } : {}
  try {
    const rpcUrl = (await nodeFor?.(devnet.rpcUrl)) ?? devnet.rpcUrl
    const settings = { RPC_URL: rpcUrl, ...patience, ...environment }
    const started = await startServers(settings, { proxied: true, ...options })
    servers = started
    const { url, urls, logs, signal } = started
    const [{ poolId, series }] = devnet.pools
    return {
      ...{ devnet, servers: started, url, logs, stop },
      /** A folder for the test's files, removed with the stack. */
      folder,
      /** Returns a server's base URL, chosen round-robin by `turn`. */
      urlOf: (turn: number) => urls[turn % urls.length] ?? url,
      /** A pool and a series with a term of about three months. */
      series: { poolId, seriesKey: series[2]?.seriesKey ?? poolId },
      /** Pauses all server processes until `resume`. */
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
    }
  } catch (error) {
    await stop()
    throw error
  }
}
