import { chooseEviction } from '../../domain/chooseEviction.ts'

/** A connection that has no session yet. */
export type PendingSocket = {
  networks: readonly string[]
  /** Makes room for another one. */
  giveWay(): void
}

/** A bounded crowd of connections: to let one in, another may have to give way. */
export type PendingSockets = {
  /** Lets a connection in. The returned function lets it out, once. */
  add(socket: PendingSocket): () => void
  count(): number
}

/** Creates the crowd. */
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
      leaving?.giveWay()
      return () => remove(socket)
    },
    count: () => present.length,
  }
}
