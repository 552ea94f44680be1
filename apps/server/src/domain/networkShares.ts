// Why: docs/decisions/0031-connection-limits.md

/** A connection's networks: its address's network, and a wider one that contains it. */
export type Networks = { address: string; wider: string }

/**
 * Connections that may be evicted, by network. When a server is full, a newcomer replaces a connection of the network
 * with the most connections, so that no network can shut others out. Every operation takes constant time.
 */
export type NetworkShares<Connection> = {
  add(connection: Connection, networks: Networks): void
  /** Removes a connection, which may be added again. */
  remove(connection: Connection): void
  /** Marks a connection as busy or idle. A new one is idle. */
  mark(connection: Connection, use: 'busy' | 'idle'): void
  /**
   * Returns the connection that a newcomer replaces. It belongs to the address with the most connections in the wider
   * network with the most, and is that address's oldest idle connection, or its oldest if none is idle. Returns null if
   * the newcomer's own networks have as many connections.
   */
  chooseEviction(newcomer: Networks): Connection | null
}

/** Creates empty shares. */
export function createNetworkShares<Connection>(): NetworkShares<Connection> {
  type Address = { idle: Set<Connection>; busy: Set<Connection> }
  type Wider = { addresses: Map<string, Address>; sizes: Sizes }
  const networksOfConnection = new Map<Connection, Networks>()
  const all = new Map<string, Wider>()
  const sizes = createSizes()

  return {
    add(connection, networks) {
      const { address, wider } = networks
      const group = all.get(wider) ?? { addresses: new Map<string, Address>(), sizes: createSizes() }
      const connections = group.addresses.get(address) ?? { idle: new Set(), busy: new Set() }
      all.set(wider, group)
      group.addresses.set(address, connections)
      connections.idle.add(connection)
      group.sizes.change(address, 1)
      sizes.change(wider, 1)
      networksOfConnection.set(connection, networks)
    },

    remove(connection) {
      const networks = networksOfConnection.get(connection)
      if (!networks) return
      const { address, wider } = networks
      networksOfConnection.delete(connection)
      const group = all.get(wider)
      const connections = group?.addresses.get(address)
      connections?.idle.delete(connection)
      connections?.busy.delete(connection)
      group?.sizes.change(address, -1)
      sizes.change(wider, -1)
      if (connections?.idle.size === 0 && connections.busy.size === 0) group?.addresses.delete(address)
      if (group?.addresses.size === 0) all.delete(wider)
    },

    mark(connection, use) {
      const { address, wider } = networksOfConnection.get(connection) ?? { address: '', wider: '' }
      const connections = all.get(wider)?.addresses.get(address)
      if (!connections) return
      connections.idle.delete(connection)
      connections.busy.delete(connection)
      connections[use].add(connection)
    },

    chooseEviction({ address, wider }) {
      const own = sizes.of(wider)
      const largest = sizes.of(sizes.largest() ?? '') > own ? sizes.largest() : wider
      const group = all.get(largest ?? '')
      const from = group?.sizes.largest()
      if (!group || from === undefined) return null
      if (largest === wider && group.sizes.of(from) <= group.sizes.of(address)) return null
      const { idle, busy } = group.addresses.get(from) ?? {}
      return idle?.values().next().value ?? busy?.values().next().value ?? null
    },
  }
}

/** The sizes of groups, and the largest group. */
type Sizes = {
  of(name: string): number
  /** Adds 1 or -1 to a size. */
  change(name: string, by: 1 | -1): void
  /** Returns one of the largest groups; undefined if all are empty. */
  largest(): string | undefined
}

function createSizes(): Sizes {
  const sizeOf = new Map<string, number>()
  const withSize = new Map<number, Set<string>>()
  let most = 0
  return {
    of: (name) => sizeOf.get(name) ?? 0,
    change(name, by) {
      const before = sizeOf.get(name) ?? 0
      const size = before + by
      withSize.get(before)?.delete(name)
      if (withSize.get(before)?.size === 0) withSize.delete(before)
      if (size === 0) sizeOf.delete(name)
      else {
        sizeOf.set(name, size)
        const same = withSize.get(size) ?? new Set()
        withSize.set(size, same.add(name))
      }
      // Each call changes one size by one, so the largest size changes by at most one.
      if (size > most) most = size
      else if (before === most && !withSize.has(most)) most = size
    },
    largest: () => withSize.get(most)?.values().next().value,
  }
}
