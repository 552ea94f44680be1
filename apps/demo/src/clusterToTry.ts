import type { Cluster } from '@firmquote/cluster/startCluster'
import type { Devnet } from '@firmquote/devnet'

/** What several servers add to the things to try: what runs where, and what to kill. */
export function clusterToTry(
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
    ? `${proxy.name} passes requests to the servers in turn; each market maker is connected to another one.
  ${proxy.configuration}`
    : 'Without nginx or Caddy on this machine each server has its own address; each market maker is connected to another one.'
  // Who is connected to the server that is killed comes back by the proxy. Without one the borrower asks a server that lives.
  const victim = instances[1]
  return `What runs where:
${rows.map(([name, address, pid]) => `  ${name.padEnd(10)}  ${address.padEnd(22)}  pid ${pid}\n`).join('')}${how}
Take part at one server, with quotes of market makers that are connected to others. Every server knows the result:
  node examples/borrower/borrow.mjs ${instances[2]?.url ?? url} ${rpcUrl} ${pool.poolId} ${expiry}
${instances.map((instance) => `  curl -s ${instance.url}/api/v1/rfq/quotes/recent\n`).join('')}Kill a server while an auction runs at ${url}: the auction ends as promised, with the quotes that were accepted:
  kill -9 ${victim?.process().pid}
`
}
