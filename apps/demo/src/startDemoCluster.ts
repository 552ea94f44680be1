// Why: docs/decisions/0050-local-cluster.md
import { pathToFileURL } from 'node:url'
import { fetchPostgres } from '@firmquote/cluster/fetchPostgres'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, startCluster } from '@firmquote/cluster/startCluster'
import { findProxy } from '@firmquote/cluster/startProxy'
import { DemoError } from './demoError.ts'
import { programFiles } from './programFiles.ts'

/** Options for {@link startDemoCluster}. */
export type DemoClusterOptions = {
  /** The demo's port: the proxy's or, if there is no proxy, the first server's. */
  port: number
  /** Environment variables for the servers. */
  environment: NodeJS.ProcessEnv
  /** Shows a step's progress while it runs. */
  progress<T>(title: string, work: () => Promise<T>): Promise<T>
  /** Called during startup, so that an early shutdown can stop the cluster. */
  onStarting(starting: Promise<Cluster>): void
  /** Called when a process ends unexpectedly. The message is one sentence. */
  onEnded(message: string, isLastServer: boolean): void
}

/**
 * Starts three servers with PostgreSQL and NATS, behind nginx or Caddy if one is installed.
 *
 * @throws {DemoError} if a program is missing or does not start.
 */
export async function startDemoCluster(options: DemoClusterOptions): Promise<Cluster> {
  const { port, environment, progress, onEnded } = options
  if (!findNats()) {
    // Set by `npm start -- --cluster` if it failed to install nats-server.
    const why =
      process.env['FIRMQUOTE_INSTALL_FAILURE'] ||
      'install it (`apt-get install nats-server`, `brew install nats-server`)'
    throw new DemoError(`nats-server is not installed: ${why}, or set FIRMQUOTE_NATS to its path.`)
  }
  const proxy = findProxy()
  const cluster = await wrapErrors(async () => {
    const postgresPrograms = findPostgres() ?? (await progress('Fetching PostgreSQL', () => fetchPostgres()))
    return progress(`Starting PostgreSQL, NATS${proxy ? `, three servers and ${proxy}` : ' and three servers'}`, () => {
      const starting = startCluster({
        serverFile: programFiles.server,
        environment,
        port,
        proxy,
        // The server package includes the proxy configurations.
        proxyConfigurations: new URL('../deploy/', pathToFileURL(programFiles.server)),
        postgresPrograms,
        onLine: (name, line) => process.stderr.write(`The ${name}: ${line}\n`),
      })
      options.onStarting(starting)
      return starting
    })
  })

  const live = new Set(cluster.instances)
  for (const instance of cluster.instances) {
    void instance.process().ended.then((how) => {
      live.delete(instance)
      const others = live.size === 0 ? '.' : '. The other servers continue.'
      onEnded(`Server ${instance.number} stopped unexpectedly (${how})${others}`, live.size === 0)
    })
  }
  const others = [
    { name: 'PostgreSQL', process: cluster.postgres.process(), effect: 'The servers reject writes without it.' },
    {
      name: 'NATS',
      process: cluster.nats.process(),
      effect: 'The servers continue without it, with slightly higher latency.',
    },
    ...(cluster.proxy
      ? [
          {
            name: cluster.proxy.name,
            process: cluster.proxy.process,
            effect: 'The servers are still reachable at their own addresses.',
          },
        ]
      : []),
  ]
  for (const { name, process: own, effect } of others) {
    void own.ended.then((how) => {
      const [said] = own.output().trimEnd().split('\n').slice(-1)
      onEnded(`${name} stopped unexpectedly (${how}). ${effect}${said ? ` Its last output: ${said}` : ''}`, false)
    })
  }
  return cluster
}

async function wrapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof DemoError ? cause : new DemoError((cause as Error).message, { cause })
  }
}
