import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './freePort.ts'
import { createService, type Service } from './ownProcess.ts'
import { type Nats, startNats } from './startNats.ts'
import { type Postgres, startPostgres } from './startPostgres.ts'
import { type ProxyName, type ReverseProxy, startProxy } from './startProxy.ts'

/** One `firmquote-server` of a cluster. */
export type Instance = Service & {
  /** From 1. */
  number: number
  port: number
  /** Its own address, past any proxy. */
  url: string
}

/** Several `firmquote-server`s on one PostgreSQL and one NATS, all on 127.0.0.1. */
export type Cluster = {
  /** Where a client finds the service: the proxy's address, or the first instance's. */
  url: string
  postgres: Postgres
  nats: Nats
  instances: readonly Instance[]
  proxy: ReverseProxy | undefined
  /** Ends everything, and removes the folder. Further calls give the same promise. */
  stop(): Promise<void>
}

/** The settings of a server that name what all of them share. */
type ServiceAddresses = { DATABASE_URL: string; NATS_URL: string }

/** What a cluster is started with. */
export type ClusterOptions = {
  /** The file that `firmquote-server` runs; several are taken in turns, so that instances differ in their version. */
  serverFile: string | readonly [string, ...string[]]
  /** The servers' environment beside what the cluster adds: `RPC_URL` at least. */
  environment: Readonly<Record<string, string | undefined>>
  /** How many servers; 3 by default. */
  servers?: number
  /** The proxy in front of them; by default none. */
  proxy?: ProxyName | undefined
  /** Where the proxy's configurations stand; by default in this repository. */
  proxyConfigurations?: URL
  /** The port of the proxy, or without one of the first server; by default a free one. */
  port?: number
  /** Where a server finds PostgreSQL and NATS, when that is not where they are: behind a relay, say. By its number. */
  addressesOf?: (number: number, addresses: ServiceAddresses) => Promise<ServiceAddresses>
  /** The folder of PostgreSQL's programs; by default the machine's. */
  postgresPrograms?: string | undefined
  /** Gets each line that a server writes, with its name: `server 1`. */
  onLine?: (name: string, line: string) => void
}

/**
 * Starts PostgreSQL, NATS, the servers and the proxy, and waits until all are ready.
 *
 * @throws {Error} when one of them does not start; the message has what it wrote, and nothing is left running.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { servers = 3 } = options
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-cluster-'))
  // PostgreSQL and the proxy run as another user if this one is root: they pass through to folders of their own.
  chmodSync(folder, 0o711)
  const running: (() => Promise<void>)[] = []
  let stopping: Promise<void> | undefined
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
      // The same for all, since a backer may be passed on to any of them.
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
      // One that is paused hears nothing.
      for (const signal of ['SIGCONT', 'SIGTERM'] as const)
        await Promise.all(instances.map((instance) => instance.process().kill(signal)))
    })
    await Promise.all(instances.map((instance) => instance.start()))

    const name = options.proxy
    const configurations = options.proxyConfigurations
    const proxy =
      name && (await startProxy({ name, folder: join(folder, name), port: front, servers: ports, configurations }))
    if (proxy) running.push(proxy.stop)
    return { url: `http://localhost:${front}`, postgres, nats, instances, proxy, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
