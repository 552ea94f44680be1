// Why: docs/decisions/0046-postgresql-writes.md
import type { Clock } from '@firmquote/core'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'
import { isRowError } from './postgresFailure.ts'

/** Writes items of one kind in groups. */
export type GroupWriter<Given, Outcome> = {
  write(given: Given): Promise<Outcome>
  /** Resolves when no write is waiting or in flight. */
  drain(): Promise<void>
}

/**
 * Maximum rows per group, maximum groups in flight, and milliseconds between the starts of two groups. A transaction costs as much as about ten rows
 * on both sides, so single writes start immediately, while a steady stream is grouped.
 */
export const groupLimits = { rows: 128, inFlight: 2, apart: 8 }

/**
 * Creates a writer. Writes of one tick, and all writes until the next group may start, share a transaction, because a commit waits for the disk once.
 * A full group starts immediately. If the rows of a group fail, its writes are retried one by one, so that one bad row does not fail the others.
 *
 * @param commit writes a group and returns the outcomes in its order.
 */
export function createGroupWriter<Given, Outcome>(
  clock: Clock,
  commit: (group: readonly Given[]) => Promise<Outcome[]>,
): GroupWriter<Given, Outcome> {
  type Waiting = { given: Given; resolve(outcome: Outcome): void; reject(error: unknown): void }
  const waiting: Waiting[] = []
  let inFlight = 0
  let isPausing = false
  const drained: (() => void)[] = []

  const answer = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = await commit(group.map(({ given }) => given))
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome)
    } catch (error) {
      if (group.length > 1 && isRowError(error)) for (const one of group) await answer([one])
      else for (const { reject } of group) reject(error)
    }
  }

  const send = () => {
    if (waiting.length === 0 || (isPausing && waiting.length < groupLimits.rows) || inFlight === groupLimits.inFlight)
      return
    const group = waiting.splice(0, groupLimits.rows)
    inFlight += 1
    if (group.length > 1) {
      isPausing = true
      clock.after(groupLimits.apart, () => {
        isPausing = false
        send()
      })
    }
    void answer(group).then(() => {
      inFlight -= 1
      if (inFlight === 0 && waiting.length === 0) for (const resolve of drained.splice(0)) resolve()
      send()
    })
  }
  const sending = createSlicedTask(send)

  return {
    write: (given) =>
      new Promise((resolve, reject) => {
        waiting.push({ given, resolve, reject })
        sending.schedule()
      }),
    drain: () =>
      new Promise((resolve) => {
        if (inFlight === 0 && waiting.length === 0) resolve()
        else drained.push(resolve)
      }),
  }
}
