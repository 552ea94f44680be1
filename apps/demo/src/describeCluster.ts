import type { Cluster } from '@firmquote/cluster/startCluster'
import type { Devnet } from '@firmquote/devnet'
import { commands } from './commands.ts'

/** Describes a cluster: the address and process ID of each component, and which server to kill as an experiment. */
export function describeCluster(
  { url, instances, postgres, nats, proxy }: Cluster,
  { rpcUrl, pools: [pool] }: Pick<Devnet, 'rpcUrl' | 'pools'>,
): string {
  const rows = [
    ...instances.map(({ number, url, process }) => [`server ${number}`, url, process().pid] as const),
    ['PostgreSQL', `127.0.0.1:${postgres.port}`, postgres.process().pid] as const,
    ['NATS', `127.0.0.1:${nats.port}`, nats.process().pid] as const,
    ...(proxy ? [[proxy.name, proxy.url, proxy.process.pid] as const] : []),
  ]
  const expiry = (pool.series[2] ?? pool.series[0])?.expiry
  const how = proxy
    ? `${proxy.name} distributes requests across the servers. Each market maker is connected to a different server.
  ${proxy.configuration}`
    : 'nginx and Caddy are not installed, so use each server by its own address. Each market maker is connected to a different server.'
  // Clients of the killed server reconnect through the proxy. Without a proxy, the borrower uses a server other than
  // the one to kill.
  const victim = instances[1]
  return `Running components:
${rows.map(([name, address, pid]) => `  ${name.padEnd(10)}  ${address.padEnd(22)}  pid ${pid}\n`).join('')}${how}
Run an auction on one server with quotes from market makers on the others, then read the result from any server:
  ${commands.borrow} ${instances[2]?.url ?? url} ${rpcUrl} ${pool.poolId} ${expiry}
${instances.map((instance) => `  curl -s ${instance.url}/api/v1/rfq/quotes/recent\n`).join('')}Kill a server during an auction at ${url}. The auction still closes on time, with all accepted quotes:
  kill -9 ${victim?.process().pid}
`
}
