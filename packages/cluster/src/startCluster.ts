import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './freePort.ts'
import { createService, type Service } from './managedProcess.ts'
import { startNats } from './startNats.ts'
import { startPostgres } from './startPostgres.ts'
import { type ProxyName, startProxy } from './startProxy.ts'

/** One `firmquote-server` in a cluster. */
export type Instance = Service & {
  /** Instance number, from 1. */
  number: number
  port: number
  /** URL of this instance, bypassing the proxy. */
  url: string
}

/** Several `firmquote-server` processes with one PostgreSQL server and one NATS server, all on 127.0.0.1. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Settings with the addresses of the shared services. */
type ServiceAddresses = { DATABASE_URL: string; NATS_URL: string }

/** Options for {@link startCluster}. */
export type ClusterOptions = {
  /**
   * Entry file of `firmquote-server`. With several entry files, the instances use them in turn, forming a mixed-version
   * cluster.
   */
  serverFile: string | readonly [string, ...string[]]
  /** Additional environment variables for the servers. `RPC_URL` is required. */
  environment: Readonly<Record<string, string | undefined>>
  /** Number of servers. Default: 3. */
  servers?: number
  /** Reverse proxy in front of the servers. Default: none. */
  proxy?: ProxyName | undefined
  /** Folder of the proxy's configuration files. Default: this repository's folder. */
  proxyConfigurations?: URL
  /** Port of the proxy, or else of the first server. Default: a free port. */
  port?: number
  /**
   * Overrides one server's PostgreSQL and NATS addresses, for example to use a relay. `number` is the instance number.
   */
  addressesOf?: (number: number, addresses: ServiceAddresses) => Promise<ServiceAddresses>
  /** Folder of PostgreSQL's programs. Default: the installed ones. */
  postgresPrograms?: string | undefined
  /** Called with the server's name, such as `server 1`, and each line of its output. */
  onLine?: (name: string, line: string) => void
}

/**
 * Starts PostgreSQL, NATS, the servers and the proxy, and waits until all are ready.
 *
 * @throws {Error} if one of them does not start. The message includes its output. Everything already started is stopped.
 */
export async function startCluster(options: ClusterOptions) {
  const { servers = 3 } = options
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-cluster-'))
  // If this process runs as root, PostgreSQL and the proxy run as another user, which must be able to reach their
  // subfolders.
  chmodSync(folder, 0o711)
  const running: (() => Promise<void>)[] = []
  let stopping: Promise<void> | undefined
  /** Stops everything and removes the folder. Repeated calls return the same promise. */
  const stop = () => {
    stopping ??= (async () => {
      for (const end of running.reverse()) await end().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    })()
    return stopping
  }
  try {
    const postgres = await startPostgres({ folder: join(folder, 'postgres'), programs: options.postgresPrograms })
    running.push(() => postgres.stop())
    const nats = await startNats({ folder: join(folder, 'nats') })
    running.push(nats.stop)

    const front = options.port ?? (await freePort())
    const ports = options.proxy ? [] : [front]
    while (ports.length < servers) ports.push(await freePort())
    const environment = {
      PATH: process.env['PATH'],
      ...options.environment,
      // All instances use the same address, because the proxy may send a backer to any of them.
      PUBLIC_WS_URL: `ws://localhost:${front}/ws/rfq`,
      ...(options.proxy && { TRUST_PROXY: 'loopback' }),
    }
    const files = [options.serverFile].flat()
    const instances = await Promise.all(
      ports.map(async (port, index): Promise<Instance> => {
        const number = index + 1
        const shared = { DATABASE_URL: postgres.url, NATS_URL: nats.url }
        const addresses = (await options.addressesOf?.(number, shared)) ?? shared
        const cwd = join(folder, `server-${number}`)
        mkdirSync(cwd, { mode: 0o700 })
        const service = createService(
          `The server ${number}`,
          {
            file: process.execPath,
            args: [files[index % files.length] ?? ''],
            cwd,
            env: { ...environment, ...addresses, PORT: String(port), DATA_DIR: join(cwd, 'data') },
            onLine(line) {
              if (!line.startsWith('ready ')) options.onLine?.(`server ${number}`, line)
            },
          },
          async (started) => /^ready /m.test(started.output()),
        )
        return { ...service, number, port, url: `http://localhost:${port}` }
      }),
    )
    running.push(async () => {
      // A paused process does not handle SIGTERM until it continues.
      for (const signal of ['SIGCONT', 'SIGTERM'] as const)
        await Promise.all(instances.map((instance) => instance.process().kill(signal)))
    })
    await Promise.all(instances.map((instance) => instance.start()))

    const name = options.proxy
    const configurations = options.proxyConfigurations
    const proxy =
      name && (await startProxy({ name, folder: join(folder, name), port: front, servers: ports, configurations }))
    if (proxy) running.push(proxy.stop)
    return {
      /** URL of the service: the proxy's, or else the first instance's. */
      url: `http://localhost:${front}`,
      ...{ postgres, nats, instances, proxy, stop },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
