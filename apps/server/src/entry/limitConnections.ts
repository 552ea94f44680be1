import { isIPv6, type Server, type Socket } from 'node:net'
import type { Clock } from '@firmquote/core'
import type { EntryLimits } from './entryLimits.ts'

/** Counts open connections in total and per network. */
export type ConnectionCounts = {
  /** Charges a closed connection's network eight slots for a minute. */
  penalize(socket: Socket): void
  stop(): void
}

/** How many slots a misbehaving connection costs its network, and for how long. */
const penalty = { slots: 8, milliseconds: 60_000 }

/**
 * Limits a server's connections in total and per network. Connections above a limit are passed to `refuse`, which
 * closes them before any data is read.
 *
 * @param networkOf returns the network of a peer's address; null for a trusted proxy, which serves clients from many
 * networks.
 */
export function limitConnections(
  server: Server,
  {
    clock,
    limits,
    networkOf,
    refuse,
  }: {
    clock: Pick<Clock, 'after'>
    limits: Pick<EntryLimits, 'connections' | 'connectionsPerNetwork'>
    networkOf: (address: string | undefined) => string | null
    refuse: (socket: Socket) => void
  },
): ConnectionCounts {
  const taken = new Map<string, number>()
  const penalties = new Set<() => void>()
  let all = 0
  const add = (network: string, slots: number) => {
    const now = (taken.get(network) ?? 0) + slots
    if (now === 0) taken.delete(network)
    else taken.set(network, now)
  }
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress)
    const ofNetwork = network === null ? 0 : (taken.get(network) ?? 0)
    if (all >= limits.connections || ofNetwork >= limits.connectionsPerNetwork) {
      socket.pause()
      refuse(socket)
      return
    }
    all += 1
    if (network !== null) add(network, 1)
    socket.once('close', () => {
      all -= 1
      if (network !== null) add(network, -1)
    })
  })
  return {
    penalize({ remoteAddress }) {
      const network = networkOf(remoteAddress)
      if (network === null) return
      add(network, penalty.slots)
      const cancel = clock.after(penalty.milliseconds, () => {
        penalties.delete(cancel)
        add(network, -penalty.slots)
      })
      penalties.add(cancel)
    },
    stop() {
      for (const cancel of penalties) cancel()
    },
  }
}

/**
 * The networks that limits count by. An IPv4 address is its own network. An IPv6 address counts towards its /64,
 * because a client usually controls all 2^64 addresses in it, and towards its /48, because some clients have 2^16 such
 * networks.
 */
export function networksOf(ip: string | undefined): { address: string; wider?: string } {
  const address = (ip ?? '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  if (!isIPv6(address)) return { address: address || 'unknown' }
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, 4)
  const digits = groups.map((group) => Number.parseInt(group, 16).toString(16))
  return { address: `${digits.join(':')}::/64`, wider: `${digits.slice(0, 3).join(':')}::/48` }
}
