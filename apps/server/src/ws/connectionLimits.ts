import type { Address } from 'viem'

/** Limits how many sockets each backer has. */
export type ConnectionLimits = {
  /** Counts a socket; null when the backer has as many as allowed. The returned function ends the count, once. */
  acquire(backer: Address): (() => void) | null
}

/** Creates a limit of `perBacker` sockets for each backer. */
export function createConnectionLimits(perBacker: number): ConnectionLimits {
  const connected = new Map<Address, number>()
  return {
    acquire(backer) {
      const count = connected.get(backer) ?? 0
      if (count >= perBacker) return null
      connected.set(backer, count + 1)
      let released = false
      return () => {
        if (released) return
        released = true
        const remaining = (connected.get(backer) ?? 1) - 1
        if (remaining === 0) connected.delete(backer)
        else connected.set(backer, remaining)
      }
    },
  }
}
