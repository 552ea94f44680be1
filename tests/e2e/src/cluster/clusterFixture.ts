import { setTimeout as sleep } from 'node:timers/promises'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, type Instance, startCluster } from '@firmquote/cluster/startCluster'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import type { RFQWebSocketConfig, ServiceClientOptions } from '@firmquote/sdk'
import { programOf, startingEnvironment } from '@firmquote/test-support/startProgram'
import { createMakers, fundMakers, generousSettings } from '../crashFixture.ts'
import { type Relay, type RelayMode, startRelay } from './startRelay.ts'

/** A server of the fixture, and its own way to each of the two that all share. */
export type FixtureInstance = Instance & { links: { postgres: Relay; nats: Relay }; isUp(): boolean }

/** A chain, PostgreSQL, NATS and servers on them, each of which can be killed, paused and cut off by itself. */
export type ClusterFixture = {
  devnet: Devnet
  cluster: Cluster
  instances: readonly FixtureInstance[]
  makers: readonly DevnetAccount[]
  /** What clients are given as the service's address; each call goes to one of the instances. */
  url: string
  socketUrl: string
  /** Sends each call of a client to the next instance, from one of them on, as a balancer in front would. */
  borrowerFrom(first: number): ServiceClientOptions
  /** Sends the calls of a client to one instance, until it is moved to another: what is under way then is broken off. */
  borrowerAt(first: number): { client: ServiceClientOptions; move(to: number): void }
  /** Makes each connection of a backer to the next instance, from one of them on. */
  backerFrom(first: number): Partial<RFQWebSocketConfig>
  /** Makes all connections of a backer to one instance, whose silence it bears. */
  backerAt(index: number): Partial<RFQWebSocketConfig>
  /** Cuts an instance off, or joins it again. */
  setLinks(instance: FixtureInstance, which: readonly ('postgres' | 'nats')[], mode: RelayMode): void
  /** Resolves when all of them take new work; what was paused or killed must run again. */
  allReady(): Promise<void>
  stop(): Promise<void>
}

/** Whether this machine has what a fixture needs. */
export const hasServices = findPostgres() !== null && findNats() !== null

const readyWithinMs = 20_000

/** Starts three servers, each behind relays of its own. */
export async function startClusterFixture({
  makers: makerCount = 0,
  settings = {},
  standbyPort,
}: {
  makers?: number
  settings?: Readonly<Record<string, string>>
  /** Where a standby of PostgreSQL may listen, which servers are told of as well. */
  standbyPort?: number
}): Promise<ClusterFixture> {
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
    let isUp = true
    const changing = (change: () => Promise<void>, after: boolean) => async () => {
      if (!after) isUp = false
      await change()
      isUp = after
    }
    return {
      ...instance,
      links: own,
      isUp: () => isUp,
      start: changing(instance.start, true),
      kill: changing(instance.kill, false),
      pause: changing(instance.pause, false),
      resume: changing(instance.resume, true),
    }
  })
  const url = cluster.url
  const socketUrl = `${url.replace('http', 'ws')}/ws/rfq`
  /** The instances in turn, from one on. */
  const inTurn = (first: number) => {
    let turn = first
    return () => {
      turn += 1
      return urlAt(turn - 1)
    }
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
    url,
    socketUrl,
    borrowerFrom(first) {
      const next = inTurn(first)
      return { timeoutMs: 3_000, fetch: (input, init) => fetch(String(input).replace(url, next()), init) }
    },
    borrowerAt(first) {
      let at = urlAt(first)
      let breaking = new AbortController()
      return {
        client: {
          timeoutMs: 3_000,
          fetch(input, init) {
            const signal = init?.signal ? AbortSignal.any([init.signal, breaking.signal]) : breaking.signal
            return fetch(String(input).replace(url, at), { ...init, signal })
          },
        },
        move(to) {
          at = urlAt(to)
          breaking.abort(new TypeError('The client is moved.'))
          breaking = new AbortController()
        },
      }
    },
    backerFrom: (first) => ({
      ...channelTo(inTurn(first)),
      ...{ connectTimeoutMs: 2_000, pingIntervalMs: 1_000, pongTimeoutMs: 1_000 },
    }),
    backerAt: (index) => ({ ...channelTo(() => urlAt(index)), connectTimeoutMs: 2_000, pongTimeoutMs: 15_000 }),
    setLinks(instance, which, mode) {
      for (const name of which) instance.links[name].set(mode)
    },
    async allReady() {
      for (const { url: address } of instances) {
        for (const end = Date.now() + readyWithinMs; !(await isReady(address)); await sleep(20)) {
          if (Date.now() > end) throw new TypeError(`${address} is not ready again after ${readyWithinMs} ms.`)
        }
      }
    },
    async stop() {
      for (const { postgres, nats } of links) for (const relay of [postgres, nats]) relay.set('pass')
      await cluster.stop()
      await stopRest()
    },
  }
}

/** Whether an instance takes new work; one that does not answer within a second does not. */
export async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function portOf(address: string): number {
  return Number(new URL(address).port)
}

function withPort(address: string, port: number | string): string {
  return address.replace(`:${portOf(address)}`, `:${port}`)
}
