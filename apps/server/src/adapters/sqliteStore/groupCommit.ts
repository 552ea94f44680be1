import type { Kysely, Transaction } from 'kysely'

/** Writes that share transactions. */
export type GroupCommit<DB> = {
  /** Runs with all that arrive in the same tick in one transaction; resolves after its commit. */
  write<T>(operation: (transaction: Transaction<DB>) => Promise<T>): Promise<T>
  /** Resolves when nothing is waiting any more. */
  drain(): Promise<void>
}

/**
 * Groups writes: one commit, and so one wait for the disk, for everything that arrived in a tick or during the commit
 * before. A group that fails is rolled back whole, then its writes run one by one, so that one that is at fault harms no
 * other.
 */
export function createGroupCommit<DB>(db: Kysely<DB>): GroupCommit<DB> {
  type Write = { run(transaction: Transaction<DB>): Promise<void>; succeed(): void; fail(error: unknown): void }
  let waiting: Write[] = []
  let running: Promise<void> | null = null

  const commit = async (group: Write[]) => {
    try {
      await db.transaction().execute(async (transaction) => {
        for (const write of group) await write.run(transaction)
      })
    } catch (error) {
      if (group.length === 1) for (const write of group) write.fail(error)
      else for (const write of group) await commit([write])
      return
    }
    for (const write of group) write.succeed()
  }

  const flush = async () => {
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await commit(group)
    }
    running = null
  }

  return {
    write<T>(operation: (transaction: Transaction<DB>) => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        let outcome: { value: T } | undefined
        waiting.push({
          run: async (transaction) => {
            outcome = { value: await operation(transaction) }
          },
          succeed: () => {
            if (outcome) resolve(outcome.value)
          },
          fail: reject,
        })
        running ??= flush()
      })
    },
    async drain() {
      await running
    },
  }
}
