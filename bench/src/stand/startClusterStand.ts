import { fileURLToPath } from 'node:url'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, startCluster } from '@firmquote/cluster/startCluster'
import { MissingProgram } from '../row.ts'
import { processorTime } from './processTimes.ts'
import { roomySettings, type Stand, serverMain } from './startStand.ts'

/** Several servers before a stand's chain, on a PostgreSQL and a NATS of their own. */
export type ClusterStand = AsyncDisposable &
  Pick<Cluster, 'postgres'> & {
    /** The servers' own addresses: `http://localhost:<port>`. */
    urls: readonly string[]
    /** The same for backers. */
    wsUrls: readonly string[]
    /** The address in the challenges of all servers. */
    audience: string
    /** Processor time of all processes, in microseconds. */
    cpu(): number
  }

/**
 * Starts the servers, as an operator would.
 *
 * @throws {MissingProgram} when the machine has no PostgreSQL or no NATS.
 */
export async function startClusterStand(
  { devnet }: Pick<Stand, 'devnet'>,
  { servers, settings = {} }: { servers: number; settings?: Record<string, string> },
): Promise<ClusterStand> {
  if (!findPostgres()) throw new MissingProgram('there is no PostgreSQL 15 or later on this machine')
  requireNats()
  const { NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const { url, postgres, nats, instances, stop } = await startCluster({
    serverFile: fileURLToPath(serverMain),
    environment: { ...roomySettings, NODE_OPTIONS, NODE_COMPILE_CACHE, RPC_URL: devnet.rpcUrl, ...settings },
    servers,
  })
  const pids = [...instances, postgres, nats].map((one) => one.process().pid)
  return {
    postgres,
    urls: instances.map((instance) => instance.url),
    wsUrls: instances.map(({ port }) => `ws://localhost:${port}/ws/rfq`),
    audience: `${url.replace(/^http/, 'ws')}/ws/rfq`,
    cpu: () => processorTime(pids),
    [Symbol.asyncDispose]: stop,
  }
}

/** @throws {MissingProgram} when the machine has no NATS. */
export function requireNats(): void {
  if (!findNats()) throw new MissingProgram('there is no nats-server on this machine')
}
