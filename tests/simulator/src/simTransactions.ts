import type { Timeline } from './timeline.ts'

/** How a write has ended: `lockedAt` is when it locked its row, in virtual milliseconds, and null where it needs no lock. */
export type Ended =
  | { value: unknown; lockedAt: number | null; waited: boolean }
  | { error: unknown }
  | { rolledBack: true }

/** The transactions that several connections run at the same time. */
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
 * Creates a server of transactions. Each locks one row, and then reads and writes: since writes that meet lock the same row,
 * it makes no difference which of its statements are run together.
 */
export function createSimTransactions(timeline: Timeline) {
  /** Of each locked row, the transaction that has it, and then those that wait for it. */
  let locks = new Map<string, (() => void)[]>()
  let clock: number | null = null

  const release = (row: string) => {
    const queue = locks.get(row)
    queue?.shift()
    // As an event of its own, so that one end does not run through all that wait for it.
    if (queue?.[0]) timeline.at(timeline.now(), queue[0])
    else locks.delete(row)
  }

  return {
    /** The time by which a transaction decides, in virtual milliseconds: when it locked its row. */
    now: () => clock ?? timeline.now(),
    /**
     * Runs one, which has just arrived.
     *
     * @param pause how long it takes until the next statement runs, in milliseconds.
     * @param isGone whether its client has gone: then it is rolled back.
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
    /** Another server goes on from what was committed: transactions that are open are rolled back. */
    failOver() {
      const waiting = [...locks.values()].flatMap(([, ...others]) => others)
      locks = new Map()
      for (const proceed of waiting) timeline.at(timeline.now(), proceed)
    },
  }
}
