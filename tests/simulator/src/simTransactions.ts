import type { Timeline } from './timeline.ts'

/** How a write ended. `lockedAt` is when it locked its row, in virtual milliseconds; null if it needs no lock. */
export type Ended =
  | { value: unknown; lockedAt: number | null; waited: boolean }
  | { error: unknown }
  | { rolledBack: true }

/** Concurrent transactions of several connections. */
export type SimTransactions = ReturnType<typeof createSimTransactions>

/** Runs a write in one step. */
export function runAtOnce(work: () => unknown, lock: { lockedAt: number | null; waited: boolean }): Ended {
  try {
    return { value: work(), ...lock }
  } catch (error) {
    return { error }
  }
}

/**
 * Creates a transaction server. Each transaction locks one row, then reads and writes. Conflicting writes lock the same
 * row, so the grouping of their statements does not matter.
 */
export function createSimTransactions(timeline: Timeline) {
  /** For each locked row, the transaction that holds it, followed by the waiting ones. */
  let locks = new Map<string, (() => void)[]>()
  let clock: number | null = null

  const release = (row: string) => {
    const queue = locks.get(row)
    queue?.shift()
    // Scheduled as a separate event, so that one transaction's end does not run all waiting ones.
    if (queue?.[0]) timeline.at(timeline.now(), queue[0])
    else locks.delete(row)
  }

  return {
    /** The time at which a transaction locked its row, in virtual milliseconds. The transaction decides by it. */
    now: () => clock ?? timeline.now(),
    /**
     * Runs a transaction that has just arrived.
     *
     * @param pause delay before the next statement, in milliseconds.
     * @param isGone whether its client is gone; then it is rolled back.
     */
    run(
      { row, work, pause, isGone }: { row: string; work: () => unknown; pause: () => number; isGone: () => boolean },
      onEnd: (ended: Ended) => void,
    ) {
      const server = locks
      const isLost = () => server !== locks || isGone()
      const later = (run: () => void) => void timeline.at(timeline.now() + pause(), run)
      const locked = (askedAt: number) => {
        const lockedAt = timeline.now()
        const end = () => {
          clock = lockedAt
          onEnd(isLost() ? { rolledBack: true } : runAtOnce(work, { lockedAt, waited: lockedAt > askedAt }))
          clock = null
          if (server === locks) release(row)
        }
        if (isLost()) end()
        else later(end)
      }
      later(() => {
        const askedAt = timeline.now()
        if (server !== locks) return onEnd({ rolledBack: true })
        const queue = locks.get(row) ?? []
        locks.set(row, queue)
        queue.push(() => locked(askedAt))
        if (queue.length === 1) locked(askedAt)
      })
    },
    /** Fails over to another server with the committed state. Open transactions are rolled back. */
    failOver() {
      const waiting = [...locks.values()].flatMap(([, ...others]) => others)
      locks = new Map()
      for (const proceed of waiting) timeline.at(timeline.now(), proceed)
    },
  }
}
