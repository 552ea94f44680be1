import { chooseEviction } from '../../domain/chooseEviction.ts'

/** A connection without a session. */
export type PendingSocket = {
  networks: readonly string[]
  /** Closes this connection to make room for another. */
  evict(): void
}

/** A bounded set of connections. Adding one may evict another. */
export type PendingSockets = {
  /** Adds a connection. Calling the returned function removes the connection. */
  add(socket: PendingSocket): () => void
  count(): number
}

/** Creates an empty set. */
export function createPendingSockets(limits: { all: number; perNetwork: number }): PendingSockets {
  const present: PendingSocket[] = []
  const remove = (socket: PendingSocket) => {
    const index = present.indexOf(socket)
    if (index >= 0) present.splice(index, 1)
  }
  return {
    add(socket) {
      const index = chooseEviction(present, socket, limits)
      const [leaving] = index === null ? [] : present.splice(index, 1)
      present.push(socket)
      leaving?.evict()
      return () => remove(socket)
    },
    count: () => present.length,
  }
}
