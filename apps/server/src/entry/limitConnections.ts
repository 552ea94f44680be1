// Why: docs/decisions/0031-connection-limits.md
import { isIPv6, type Server, type Socket } from 'node:net'
import type { Clock } from '@firmquote/core/utils'
import { createNetworkShares, type Networks } from '../domain/networkShares.ts'
import type { EntryLimits } from './entryLimits.ts'

/** Why a connection is protected from eviction: it is a maker's seat, or a running event stream. */
export type ConnectionUse = 'seat' | 'stream'

/** Limits open connections, in total and per network. */
export type ConnectionLimit = {
  /**
   * Protects a connection from eviction. A stream is evicted only if its network has no idle connection; a seat never
   * is. Calling the returned function ends the protection.
   */
  protect(socket: Socket, use: ConnectionUse): () => void
  /** Reduces the limit of a closed connection's network by 1/32 for five seconds. */
  penalize(socket: Socket): void
  stop(): void
}

/**
 * The penalty for a misbehaving connection: the share of its network's limit that is lost, as a divisor, and the
 * duration of the loss. A network can have 32 connections cut in five seconds, which keeps a core busy for at most
 * 4 % of the time. Other users behind its address lose little, and only briefly.
 */
const penalty = { divisor: 32, milliseconds: 5_000 }

/**
 * Limits a server's connections. Connections from a network above its limit are refused before any data is read. When
 * the server is full, a newcomer replaces a connection of the network with the most connections
 * ({@link createNetworkShares}); if none can be replaced, the server refuses the newcomer. Connections from loopback
 * and from trusted proxies do not count, because they serve the operator and clients of many networks.
 *
 * @param isTrusted whether a peer's address is a trusted proxy.
 * @param refuse sends an answer and then closes the connection. `onEvicted` is called before an evicted connection is
 * closed without an answer.
 */
export function limitConnections(
  server: Server,
  {
    clock,
    limits,
    isTrusted,
    refuse,
    onEvicted,
  }: {
    clock: Pick<Clock, 'after'>
    limits: Pick<EntryLimits, 'connections' | 'connectionsPerNetwork'>
    isTrusted: (address: string | undefined) => boolean
    refuse: (socket: Socket) => void
    onEvicted: () => void
  },
): ConnectionLimit {
  const counted = new Map<Socket, Networks>()
  const ofAddress = new Map<string, number>()
  const shares = createNetworkShares<Socket>()
  const penalties = new Set<() => void>()

  const add = (address: string, slots: number) => {
    const now = (ofAddress.get(address) ?? 0) + slots
    if (now === 0) ofAddress.delete(address)
    else ofAddress.set(address, now)
  }
  const remove = (socket: Socket) => {
    const networks = counted.get(socket)
    if (!networks) return
    counted.delete(socket)
    add(networks.address, -1)
    shares.remove(socket)
  }
  /** Returns whether there is a slot for a newcomer, after an eviction if needed. */
  const makeRoom = (networks: Networks): boolean => {
    if ((ofAddress.get(networks.address) ?? 0) >= limits.connectionsPerNetwork) return false
    if (counted.size < limits.connections) return true
    const leaving = shares.chooseEviction(networks)
    if (!leaving) return false
    remove(leaving)
    onEvicted()
    leaving.destroy()
    return true
  }
  const networksOfPeer = ({ remoteAddress }: Socket): Networks | null =>
    isLoopback(remoteAddress) || isTrusted(remoteAddress) ? null : connectionNetworks(remoteAddress)

  server.on('connection', (socket: Socket) => {
    const networks = networksOfPeer(socket)
    if (!networks) return
    if (!makeRoom(networks)) {
      socket.pause()
      refuse(socket)
      return
    }
    counted.set(socket, networks)
    add(networks.address, 1)
    shares.add(socket, networks)
    socket.once('close', () => remove(socket))
  })

  return {
    protect(socket, use) {
      const networks = counted.get(socket)
      if (!networks) return () => {}
      if (use === 'seat') shares.remove(socket)
      else shares.mark(socket, 'busy')
      // A connection keeps its seat until it closes.
      return () => shares.mark(socket, 'idle')
    },
    penalize(socket) {
      const networks = networksOfPeer(socket)
      if (!networks) return
      const { address } = networks
      const slots = Math.ceil(limits.connectionsPerNetwork / penalty.divisor)
      add(address, slots)
      const cancel = clock.after(penalty.milliseconds, () => {
        penalties.delete(cancel)
        add(address, -slots)
      })
      penalties.add(cancel)
    },
    stop() {
      for (const cancel of penalties) cancel()
    },
  }
}

/** Returns whether an address is this machine's own. */
export function isLoopback(address: string | undefined): boolean {
  return /^(?:::ffff:)?127\.0\.0\.1$|^::1$/i.test(address ?? '')
}

/** The networks among which connections are shared: those of {@link networksOf}, and the /24 of an IPv4 address. */
export function connectionNetworks(ip: string | undefined): Networks {
  const { address, wider } = networksOf(ip)
  return { address, wider: wider ?? `${address.replace(/\.\d+$/, '')}.0/24` }
}

/**
 * Returns the networks that limits apply to. An IPv4 address is its own network. An IPv6 address counts towards its
 * /64, because a client usually controls all 2^64 of its addresses, and towards its /48, because some clients have 2^16
 * such networks.
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
