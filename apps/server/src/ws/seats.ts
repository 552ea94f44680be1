import type { Address } from 'viem'

/** How many sockets each backer has. */
export type Seats = {
  /** Takes a seat, or gives null when the backer has all that it may have. The answer gives it back, once. */
  take(backer: Address): (() => void) | null
}

/** Counts the sockets of each backer, at most so many for one. */
export function createSeats(perBacker: number): Seats {
  const taken = new Map<Address, number>()
  return {
    take(backer) {
      const count = taken.get(backer) ?? 0
      if (count >= perBacker) return null
      taken.set(backer, count + 1)
      let held = true
      return () => {
        if (!held) return
        held = false
        const left = (taken.get(backer) ?? 1) - 1
        if (left === 0) taken.delete(backer)
        else taken.set(backer, left)
      }
    },
  }
}
