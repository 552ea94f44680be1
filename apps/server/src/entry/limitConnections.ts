import type { Server, Socket } from 'node:net'
import type { Clock } from '@firmquote/core'
import type { EntryLimits } from './entryLimits.ts'

/** How many connections stand, of all clients and of each network. */
export type ConnectionCounts = {
  /** Has this connection, which is being cut, take eight places of its network for a minute. */
  penalize(socket: Socket): void
  stop(): void
}

/** What a connection that had to be cut costs its network. */
const penalty = { places: 8, milliseconds: 60_000 }

/**
 * Bounds how many connections a server has: in all, and from one network. A connection above either is passed to `refuse`,
 * which ends it, before anything of it is read.
 *
 * @param networkOf names the network of a peer's address; null for a proxy that clients of many networks come through.
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
  const add = (network: string, places: number) => {
    const now = (taken.get(network) ?? 0) + places
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
      add(network, penalty.places)
      const cancel = clock.after(penalty.milliseconds, () => {
        penalties.delete(cancel)
        add(network, -penalty.places)
      })
      penalties.add(cancel)
    },
    stop() {
      for (const cancel of penalties) cancel()
    },
  }
}
