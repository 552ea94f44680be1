// Why: docs/decisions/0046-postgresql-writes.md
import type { Clock } from '@firmquote/core'
import { createSlicedTask } from '../../scheduling/slicedTask.ts'
import { isRowError } from './postgresFailure.ts'

/** Writes things of one kind. */
export type GroupWriter<Given, Outcome> = {
  write(given: Given): Promise<Outcome>
  /** Resolves when nothing is waiting or under way. */
  drain(): Promise<void>
}

/**
 * What a group may hold, how many are under way at once, and how many milliseconds after the start of a group of several the next
 * one starts. A transaction costs as much as some ten rows on both sides: what comes alone does not wait, and of a steady stream
 * several share one.
 */
export const groupLimits = { rows: 128, underWay: 2, apart: 8 }

/**
 * Creates a writer whose writes of one tick share a transaction, and so do all that come until the next group may start: a
 * commit waits for the disk once, however many it holds. A full group does not wait for its time. A group that fails for its rows is written again one by one, so that
 * one that is at fault harms no other.
 *
 * @param commit writes a group, and gives the outcomes in its order.
 */
export function createGroupWriter<Given, Outcome>(
  clock: Clock,
  commit: (group: readonly Given[]) => Promise<Outcome[]>,
): GroupWriter<Given, Outcome> {
  type Waiting = { given: Given; resolve(outcome: Outcome): void; reject(error: unknown): void }
  const waiting: Waiting[] = []
  let underWay = 0
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
    if (waiting.length === 0 || (isPausing && waiting.length < groupLimits.rows) || underWay === groupLimits.underWay)
      return
    const group = waiting.splice(0, groupLimits.rows)
    underWay += 1
    if (group.length > 1) {
      isPausing = true
      clock.after(groupLimits.apart, () => {
        isPausing = false
        send()
      })
    }
    void answer(group).then(() => {
      underWay -= 1
      if (underWay === 0 && waiting.length === 0) for (const resolve of drained.splice(0)) resolve()
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
        if (underWay === 0 && waiting.length === 0) resolve()
        else drained.push(resolve)
      }),
  }
}
