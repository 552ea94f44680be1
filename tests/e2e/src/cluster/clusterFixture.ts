import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, type Instance, startCluster } from '@firmquote/cluster/startCluster'
import { startDevnet } from '@firmquote/devnet'
import type { RFQWebSocketConfig, ServiceClientOptions } from '@firmquote/sdk'
import { programOf, startingEnvironment } from '@firmquote/test-support/startProgram'
import { createMakers, fundMakers, generousSettings } from '../crashFixture.ts'
import { until } from '../until.ts'
import { type Relay, type RelayMode, startRelay } from './startRelay.ts'

/** A server of the fixture, and its own way to each of the two that all share. */
export type FixtureInstance = Instance & { links: { postgres: Relay; nats: Relay } }

/** A chain, PostgreSQL, NATS and servers on them, each of which can be killed, paused and cut off by itself. */
export type ClusterFixture = Awaited<ReturnType<typeof startClusterFixture>>

/** What happens to an instance: it ends, is stopped, or is cut off from PostgreSQL, from NATS, or from both, in one of the ways of a relay. */
export type Fault = { kind: 'kill' | 'pause' | 'postgres' | 'nats' | 'both'; mode: Exclude<RelayMode, 'pass'> }

/** Whether this machine has what a fixture needs. */
export const hasServices = findPostgres() !== null && findNats() !== null

const readyWithinMs = 20_000

/** Starts three servers, each behind relays of its own. */
export async function startClusterFixture(
  makerCount: number,
  settings: Readonly<Record<string, string>>,
  /** Where a standby of PostgreSQL may listen, which servers are told of as well. */
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
    if (!own) throw new TypeError('Each server has links of its own.')
    return { ...instance, links: own }
  })
  const url = cluster.url
  const socketUrl = `${url.replace('http', 'ws')}/ws/rfq`
  /** The instances in turn, from one on. */
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
    /** What clients are given as the service's address; each call goes to one of the instances. */
    url,
    socketUrl,
    /** Sends each call of a client to the next instance, from one of them on, as a balancer in front would. */
    borrowerFrom(first: number): ServiceClientOptions {
      const next = inTurn(first)
      return { timeoutMs: 3_000, fetch: (input, init) => fetch(String(input).replace(url, next()), init) }
    },
    /** Sends the calls of a client to one instance, until it is moved to another: what is under way then is broken off. */
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
          breaking.abort(new TypeError('The client is moved.'))
          breaking = new AbortController()
        },
      }
    },
    /** Makes each connection of a backer to the next instance, from one of them on. */
    backerFrom: (first: number): Partial<RFQWebSocketConfig> => ({
      ...channelTo(inTurn(first)),
      ...{ connectTimeoutMs: 2_000, pingIntervalMs: 1_000, pongTimeoutMs: 1_000 },
    }),
    /** Makes all connections of a backer to one instance, whose silence it bears. */
    backerAt: (index: number): Partial<RFQWebSocketConfig> => ({
      ...channelTo(() => urlAt(index)),
      ...{ connectTimeoutMs: 2_000, pongTimeoutMs: 15_000 },
    }),
    /** Resolves when all of them take new work; what was paused or killed must run again. */
    async allReady(): Promise<void> {
      for (const { url: address } of instances) {
        const otherwise = () => `${address} is not ready again after ${readyWithinMs} ms.`
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

/** Has a fault begin. The function that is returned ends it. */
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

/** Whether an instance takes new work; one that does not answer within a second does not. */
export async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function withPort(address: string, port: number | string): string {
  return address.replace(`:${new URL(address).port}`, `:${port}`)
}
