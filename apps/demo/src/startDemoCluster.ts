// Why: docs/decisions/0050-local-cluster.md
import { pathToFileURL } from 'node:url'
import { fetchPostgres } from '@firmquote/cluster/fetchPostgres'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, startCluster } from '@firmquote/cluster/startCluster'
import { findProxy } from '@firmquote/cluster/startProxy'
import { DemoError } from './demoError.ts'
import { programFiles } from './programFiles.ts'

/** What the demo's cluster is started with. */
export type DemoClusterOptions = {
  /** Where the demo is found: the proxy's port, or the first server's. */
  port: number
  /** The servers' environment, beside what the cluster adds. */
  environment: NodeJS.ProcessEnv
  /** Shows a step while it is done. */
  progress<T>(title: string, work: () => Promise<T>): Promise<T>
  /** Gets the start before it is done, so that an end in between ends it too. */
  onStarting(starting: Promise<Cluster>): void
  /** A part has ended by itself; the message is one sentence. */
  onEnded(message: string, isLastServer: boolean): void
}

/**
 * Starts three servers on a PostgreSQL and a NATS of their own, behind the machine's nginx or Caddy if it has one.
 *
 * @throws {DemoError} when this machine lacks something, or a part does not start.
 */
export async function startDemoCluster(options: DemoClusterOptions): Promise<Cluster> {
  const { port, environment, progress, onEnded } = options
  if (!findNats()) {
    // What `npm start -- --cluster` has met when it tried to install one.
    const why =
      process.env['FIRMQUOTE_INSTALL_FAILURE'] ||
      'install it (`apt-get install nats-server`, `brew install nats-server`)'
    throw new DemoError(`There is no nats-server on this machine: ${why}, or name it with FIRMQUOTE_NATS.`)
  }
  const proxy = findProxy()
  const cluster = await orDemoError(async () => {
    const postgresPrograms = findPostgres() ?? (await progress('Fetching PostgreSQL', () => fetchPostgres()))
    return progress(`Starting PostgreSQL, NATS${proxy ? `, three servers and ${proxy}` : ' and three servers'}`, () => {
      const starting = startCluster({
        serverFile: programFiles.server,
        environment,
        port,
        proxy,
        // They come with the server.
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
      const others = live.size === 0 ? '.' : '; the others go on.'
      onEnded(`Server ${instance.number} ended by itself (${how})${others}`, live.size === 0)
    })
  }
  const others = [
    { name: 'PostgreSQL', process: cluster.postgres.process(), effect: 'nothing is accepted without it.' },
    { name: 'NATS', process: cluster.nats.process(), effect: 'the servers go on without it, a little slower.' },
    ...(cluster.proxy
      ? [
          {
            name: cluster.proxy.name,
            process: cluster.proxy.process,
            effect: 'the servers answer at their own addresses.',
          },
        ]
      : []),
  ]
  for (const { name, process: own, effect } of others) {
    void own.ended.then((how) => onEnded(`${name} ended by itself (${how}); ${effect}`, false))
  }
  return cluster
}

async function orDemoError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof DemoError ? cause : new DemoError((cause as Error).message, { cause })
  }
}
