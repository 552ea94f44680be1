import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, type Instance, startCluster } from '@firmquote/cluster/startCluster'
import { startDevnet } from '@firmquote/devnet'
import type { RFQWebSocketConfig, ServiceClientOptions } from '@firmquote/sdk'
import { programOf, startingEnvironment } from '@firmquote/test-support/startProgram'
import { until } from '@firmquote/test-support/until'
import { createMakers, fundMakers } from '../../../../packages/devnet/test/fundMakers.ts'
import { generousSettings } from '../crashFixture.ts'
import { type Relay, type RelayMode, startRelay } from './startRelay.ts'

/** One of the fixture's servers, with its own links to PostgreSQL and NATS. */
export type FixtureInstance = Instance & { links: { postgres: Relay; nats: Relay } }

/** A chain, PostgreSQL, NATS and servers for tests. Each server can be killed, paused or disconnected separately. */
export type ClusterFixture = Awaited<ReturnType<typeof startClusterFixture>>

/**
 * An instance's fault. The instance is killed, paused, or cut off from PostgreSQL, NATS or both. `mode` is the relay
 * mode that cuts it off.
 */
export type Fault = { kind: 'kill' | 'pause' | 'postgres' | 'nats' | 'both'; mode: Exclude<RelayMode, 'pass'> }

/** Whether the services that a fixture requires are installed. */
export const hasServices = findPostgres() !== null && findNats() !== null

const readyWithinMs = 20_000

/** Starts three servers, each with its own relays to PostgreSQL and NATS. */
export async function startClusterFixture(
  makerCount: number,
  settings: Readonly<Record<string, string>>,
  /** Port of a PostgreSQL standby to be started later. The servers' database URL includes this port. */
  standbyPort?: number,
) {
  const devnet = await startDevnet()
  const makers = createMakers(makerCount)
  const links: FixtureInstance['links'][] = []
  const stopRest = async () => {
    await Promise.all(links.flatMap(({ postgres, nats }) => [postgres.stop(), nats.stop()]))
    await devnet.stop()
  }
  let cluster: Cluster
  try {
    await fundMakers(devnet, makers)
    cluster = await startCluster({
      serverFile: programOf('server'),
      environment: {
        ...startingEnvironment(),
        RPC_URL: devnet.rpcUrl,
        ...generousSettings,
        LOG_LEVEL: 'warn',
        ...settings,
      },
      async addressesOf(number, { DATABASE_URL, NATS_URL }) {
        const portOf = (address: string) => Number(new URL(address).port)
        const [postgres, nats] = await Promise.all([startRelay(portOf(DATABASE_URL)), startRelay(portOf(NATS_URL))])
        links[number - 1] = { postgres, nats }
        const hosts = standbyPort === undefined ? [] : [`127.0.0.1:${standbyPort}`]
        return {
          DATABASE_URL: withPort(DATABASE_URL, [postgres.port, ...hosts].join()),
          NATS_URL: withPort(NATS_URL, nats.port),
        }
      },
    })
  } catch (error) {
    await stopRest()
    throw error
  }

  const instances = cluster.instances.map((instance, index): FixtureInstance => {
    const own = links[index]
    if (!own) throw new TypeError('The server does not have relays.')
    return { ...instance, links: own }
  })
  const url = cluster.url
  const socketUrl = `${url.replace('http', 'ws')}/ws/rfq`
  /** Cycles through the instances, starting with instance `first`. */
  const inTurn = (first: number) => {
    let turn = first
    return () => urlAt(turn++)
  }
  const urlAt = (index: number) => instances[index % instances.length]?.url ?? url
  const channelTo = (next: () => string): Partial<RFQWebSocketConfig> => ({
    WebSocket: class extends WebSocket {
      constructor(address: string) {
        super(address.replace(url.replace('http', 'ws'), next().replace('http', 'ws')))
      }
    },
  })
  return {
    devnet,
    cluster,
    instances,
    makers,
    /** The service URL for clients. Each call goes to one instance. */
    url,
    socketUrl,
    /** Cycles a client's calls through the instances as a load balancer would, starting with instance `first`. */
    borrowerFrom(first: number): ServiceClientOptions {
      const next = inTurn(first)
      return { timeoutMs: 3_000, fetch: (input, init) => fetch(String(input).replace(url, next()), init) }
    },
    /** Sends a client's calls to one instance until the client switches to another. Moving aborts pending calls. */
    borrowerAt(first: number) {
      let at = urlAt(first)
      let breaking = new AbortController()
      const client: ServiceClientOptions = {
        timeoutMs: 3_000,
        fetch(input, init) {
          const signal = init?.signal ? AbortSignal.any([init.signal, breaking.signal]) : breaking.signal
          return fetch(String(input).replace(url, at), { ...init, signal })
        },
      }
      return {
        client,
        move(to: number) {
          at = urlAt(to)
          breaking.abort(new TypeError('The client moved to another instance.'))
          breaking = new AbortController()
        },
      }
    },
    /** Cycles a backer's connections through the instances, starting with instance `first`. */
    backerFrom: (first: number): Partial<RFQWebSocketConfig> => ({
      ...channelTo(inTurn(first)),
      ...{ connectTimeoutMs: 2_000, pingIntervalMs: 1_000, pongTimeoutMs: 1_000 },
    }),
    /** Keeps a backer connected to one instance, even if it does not respond. */
    backerAt: (index: number): Partial<RFQWebSocketConfig> => ({
      ...channelTo(() => urlAt(index)),
      ...{ connectTimeoutMs: 2_000, pongTimeoutMs: 15_000 },
    }),
    /** Resolves once all instances accept new work. Paused or killed instances must already be running again. */
    async allReady(): Promise<void> {
      for (const { url: address } of instances) {
        const otherwise = () => `${address} did not become ready again within ${readyWithinMs} ms.`
        await until(() => isReady(address), { withinMs: readyWithinMs, otherwise })
      }
    },
    async stop(): Promise<void> {
      for (const { postgres, nats } of links) for (const relay of [postgres, nats]) relay.set('pass')
      await cluster.stop()
      await stopRest()
    },
  }
}

/** Starts a fault. Returns a function that ends the fault. */
export async function beginFault({ links, ...instance }: FixtureInstance, { kind, mode }: Fault) {
  if (kind === 'kill') {
    await instance.process().kill('SIGKILL')
    return instance.start
  }
  if (kind === 'pause') {
    await instance.process().kill('SIGSTOP')
    return () => instance.process().kill('SIGCONT')
  }
  const cut = kind === 'both' ? [links.postgres, links.nats] : [links[kind]]
  for (const relay of cut) relay.set(mode)
  return async () => {
    for (const relay of cut) relay.set('pass')
  }
}

/** Whether an instance accepts new work. Returns false if the instance does not respond within a second. */
export async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function withPort(address: string, port: number | string): string {
  return address.replace(`:${new URL(address).port}`, `:${port}`)
}
