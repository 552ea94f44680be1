import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './freePort.ts'
import { type OwnProcess, startOwnProcess } from './ownProcess.ts'
import { type Nats, startNats } from './startNats.ts'
import { type Postgres, startPostgres } from './startPostgres.ts'
import { type ProxyName, type ReverseProxy, startProxy } from './startProxy.ts'

/** One `firmquote-server` of a cluster. */
export type Instance = {
  /** From 1. */
  number: number
  port: number
  /** Its own address, past any proxy. */
  url: string
  /** The process that runs now, or ran last. */
  process(): OwnProcess
  /** Starts it again on its port, after it was stopped or killed, and waits until it is ready. */
  start(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
  kill(): Promise<void>
  /** Stops it between two instructions, until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
}

/** Several `firmquote-server`s on one PostgreSQL and one NATS, all on 127.0.0.1. */
export type Cluster = {
  /** Where a client finds the service: the proxy's address, or the first instance's. */
  url: string
  postgres: Postgres
  nats: Nats
  instances: readonly Instance[]
  proxy: ReverseProxy | null
  /** Holds everything that is written; gone with the cluster. */
  folder: string
  /** Ends everything, and removes the folder. Further calls give the same promise. */
  stop(): Promise<void>
}

/** The settings of a server that name what all of them share. */
export type ServiceAddresses = { DATABASE_URL: string; NATS_URL: string }

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
  addressesOf?: (number: number, addresses: ServiceAddresses) => ServiceAddresses | Promise<ServiceAddresses>
  /** The folder of PostgreSQL's programs; by default the machine's. */
  postgresPrograms?: string | undefined
  /** Gets each line that a server writes, with its name: `server 1`. */
  onLine?: (name: string, line: string) => void
}

const readyLimitMs = 30_000

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
    const postgres = await startPostgres({
      folder: join(folder, 'postgres'),
      ...(options.postgresPrograms !== undefined && { programs: options.postgresPrograms }),
    })
    running.push(() => postgres.stop())
    const nats = await startNats({ folder: join(folder, 'nats') })
    running.push(() => nats.stop())

    const front = options.port ?? (await freePort())
    const ports: number[] = []
    for (let index = 0; index < servers; index++) {
      ports.push(index === 0 && !options.proxy ? front : await freePort())
    }
    const environment = {
      PATH: process.env['PATH'],
      ...options.environment,
      // The same for all, since a backer may be passed on to any of them.
      PUBLIC_WS_URL: `ws://localhost:${front}/ws/rfq`,
      ...(options.proxy && { TRUST_PROXY: 'loopback' }),
    }
    const { addressesOf = (_, addresses) => addresses } = options
    const files = [options.serverFile].flat()
    const instances = await Promise.all(
      ports.map(async (port, index) => {
        const number = index + 1
        const serverFile = files[index % files.length] ?? ''
        const addresses = await addressesOf(number, { DATABASE_URL: postgres.url, NATS_URL: nats.url })
        const own = { ...environment, ...addresses }
        return createInstance({ ...options, serverFile, number, port, environment: own, folder })
      }),
    )
    running.push(async () => {
      await Promise.all(instances.map((instance) => instance.stop()))
    })
    await Promise.all(instances.map((instance) => instance.start()))

    let proxy: ReverseProxy | null = null
    if (options.proxy) {
      proxy = await startProxy({
        name: options.proxy,
        folder: join(folder, options.proxy),
        port: front,
        servers: ports,
        configurations: options.proxyConfigurations,
      })
      running.push(proxy.stop)
    }
    return { url: `http://localhost:${front}`, postgres, nats, instances, proxy, folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type InstanceOptions = Pick<ClusterOptions, 'onLine'> & {
  serverFile: string
  number: number
  port: number
  environment: Readonly<Record<string, string | undefined>>
  folder: string
}

function createInstance({ number, port, environment, folder, serverFile, onLine }: InstanceOptions): Instance {
  const name = `server ${number}`
  const own = join(folder, `server-${number}`)
  mkdirSync(own, { mode: 0o700 })
  const env = { ...environment, PORT: String(port), DATA_DIR: join(own, 'data') }
  let running: OwnProcess | undefined

  const current = () => {
    if (!running) throw new TypeError(`The ${name} was never started.`)
    return running
  }
  return {
    number,
    port,
    url: `http://localhost:${port}`,
    process: current,
    async start() {
      let isReady = false
      const started = startOwnProcess(process.execPath, [serverFile], {}, own, {
        env,
        onLine(line) {
          if (line.startsWith('ready ')) isReady = true
          else onLine?.(name, line)
        },
      })
      running = started
      let hasEnded = false
      void started.ended.then(() => {
        hasEnded = true
      })
      for (const end = Date.now() + readyLimitMs; !isReady; await sleep(10)) {
        if (!hasEnded && Date.now() < end) continue
        await started.kill('SIGKILL')
        throw new Error(`The ${name} has not started:\n${started.output()}`)
      }
    },
    async stop() {
      // One that is paused hears nothing.
      await running?.kill('SIGCONT')
      await running?.kill('SIGTERM')
    },
    kill: () => current().kill('SIGKILL'),
    pause: () => current().kill('SIGSTOP'),
    resume: () => current().kill('SIGCONT'),
  }
}
