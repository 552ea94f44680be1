import type { Timeline } from './timeline.ts'

/** A write's outcome, and whether it waited for its row's lock. */
export type Ended = { value: unknown; waited: boolean } | { error: unknown } | { rolledBack: true }

/** Runs concurrent transactions from several connections. */
export type SimTransactions = ReturnType<typeof createSimTransactions>

/** Runs a write in one step. */
export function runAtOnce(work: () => unknown, lock: { waited: boolean }): Ended {
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
  /** Transactions by locked row: the holder, followed by those waiting. */
  let locks = new Map<string, (() => void)[]>()
  let clock: number | null = null

  const release = (row: string) => {
    const queue = locks.get(row)
    queue?.shift()
    // The next transaction is a separate event, so that the end of one does not run all waiting ones at once.
    if (queue?.[0]) timeline.at(timeline.now(), queue[0])
    else locks.delete(row)
  }

  return {
    /** A transaction's current time, in virtual milliseconds: when it locked its row. */
    now: () => clock ?? timeline.now(),
    /**
     * Runs a newly arrived transaction.
     *
     * @param pause delay before the next statement, in milliseconds.
     * @param isGone whether its client is gone. If so, the transaction is rolled back.
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
          onEnd(isLost() ? { rolledBack: true } : runAtOnce(work, { waited: lockedAt > askedAt }))
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
    /** Simulates a failover to another server that has the committed state. Open transactions are rolled back. */
    failOver() {
      const waiting = [...locks.values()].flatMap(([, ...others]) => others)
      locks = new Map()
      for (const proceed of waiting) timeline.at(timeline.now(), proceed)
    },
  }
}
