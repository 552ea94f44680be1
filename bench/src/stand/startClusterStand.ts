import { fileURLToPath } from 'node:url'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, startCluster } from '@firmquote/cluster/startCluster'
import { type ProcessTimes, readProcessTimes } from './processTimes.ts'
import { roomySettings, type Stand, serverMain } from './startStand.ts'

/** Several servers before a stand's chain, on a PostgreSQL and a NATS of their own. */
export type ClusterStand = Pick<Cluster, 'postgres' | 'stop'> & {
  /** The servers' own addresses: `http://localhost:<port>`. */
  urls: readonly string[]
  /** The same for backers. */
  wsUrls: readonly string[]
  /** Processor time of all processes: `server 1` and so on, `PostgreSQL` and `NATS`. */
  times(): ProcessTimes
}

/** Says what the machine lacks for a cluster. */
export function missingPrograms(): string | null {
  if (!findPostgres()) return 'there is no PostgreSQL 15 or later on this machine'
  return findNats() ? null : 'there is no nats-server on this machine'
}

/** Starts the servers, as an operator would. */
export async function startClusterStand(
  { devnet }: Pick<Stand, 'devnet'>,
  { servers, settings = {} }: { servers: number; settings?: Record<string, string> },
): Promise<ClusterStand> {
  const { NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const { postgres, nats, instances, stop } = await startCluster({
    serverFile: fileURLToPath(serverMain),
    environment: { ...roomySettings, NODE_OPTIONS, NODE_COMPILE_CACHE, RPC_URL: devnet.rpcUrl, ...settings },
    servers,
  })
  const pids = {
    ...Object.fromEntries(instances.map(({ number, process }) => [`server ${number}`, process().pid])),
    PostgreSQL: postgres.process().pid,
    NATS: nats.process().pid,
  }
  return {
    ...{ postgres, stop },
    urls: instances.map(({ url }) => url),
    wsUrls: instances.map(({ port }) => `ws://localhost:${port}/ws/rfq`),
    times: () => readProcessTimes(pids),
  }
}
