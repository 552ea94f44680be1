import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, startCluster } from '@firmquote/cluster/startCluster'
import { type ProcessTimes, readProcessTimes, type WatchedProcess } from './processTimes.ts'
import { roomySettings, type Stand, serverMain } from './startStand.ts'

/** Several servers before a stand's chain, on a PostgreSQL and a NATS of their own. */
export type ClusterStand = Pick<Cluster, 'postgres' | 'nats' | 'stop'> & {
  /** The servers' own addresses: `http://localhost:<port>`. */
  urls: readonly string[]
  /** The same for backers. */
  wsUrls: readonly string[]
  /** What all processes have used: `server 1` and so on, `NATS`, and PostgreSQL's by what they are for. */
  times(): ProcessTimes
}

/** Why nothing can be measured on a cluster here; null where PostgreSQL and NATS are. */
export function missingPrograms(): string | null {
  if (!findPostgres()) return 'there is no PostgreSQL 15 or later on this machine'
  return findNats() ? null : 'there is no nats-server on this machine'
}

/** Starts the servers, as an operator would. */
export async function startClusterStand(
  { devnet }: Pick<Stand, 'devnet'>,
  { servers, settings = {} }: { servers: number; settings?: Record<string, string> },
): Promise<ClusterStand> {
  const environment = { ...roomySettings, RPC_URL: devnet.rpcUrl, ...settings }
  const { postgres, nats, instances, stop } = await startCluster({ serverFile: serverMain, environment, servers })
  try {
    await postgres.query('select 1 from auctions limit 1', postgres.url)
  } catch {
    await stop()
    throw new TypeError('The built server does not use DATABASE_URL: build it again.')
  }
  const watched: WatchedProcess[] = [
    ...instances.map(({ number, process }) => ({ name: `server ${number}`, pid: process().pid })),
    { name: 'PostgreSQL, other', pid: postgres.process().pid, childName: roleOf },
    { name: 'NATS', pid: nats.process().pid },
  ]
  return {
    ...{ postgres, nats, stop },
    urls: instances.map(({ url }) => url),
    wsUrls: instances.map(({ port }) => `ws://localhost:${port}/ws/rfq`),
    times: () => readProcessTimes(watched),
  }
}

/** What a process of PostgreSQL is for; a connection's has the name of its user and database in its title. */
function roleOf(title: string): string {
  if (/^postgres: (?:[^ ]+ )?walwriter/.test(title)) return 'PostgreSQL, WAL writer'
  return /\d\(\d+\)/.test(title) ? 'PostgreSQL, connections' : 'PostgreSQL, other'
}
