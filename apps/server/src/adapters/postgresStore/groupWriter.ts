import { createTurnTask } from '../../scheduling/turnTask.ts'
import { isFaultOfRows } from './postgresFailure.ts'

/** Writes things of one kind. */
export type GroupWriter<Given, Outcome> = {
  write(given: Given): Promise<Outcome>
  /** Resolves when nothing is waiting or under way. */
  drain(): Promise<void>
}

/** What a group may hold, and how many are under way at once. While one is committed, the next is asked. */
export const groupLimits = { rows: 128, underWay: 2 }

/**
 * Creates a writer whose writes of one tick share a transaction, and so do all that come while enough groups are under way: a
 * commit waits for the disk once, however many it holds. A group that fails for its rows is written again one by one, so that
 * one that is at fault harms no other.
 *
 * @param commit writes a group, and gives the outcomes in its order.
 */
export function createGroupWriter<Given, Outcome>(
  commit: (group: readonly Given[]) => Promise<Outcome[]>,
): GroupWriter<Given, Outcome> {
  type Waiting = { given: Given; resolve(outcome: Outcome): void; reject(error: unknown): void }
  const waiting: Waiting[] = []
  let underWay = 0
  const drained: (() => void)[] = []

  const answer = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = await commit(group.map(({ given }) => given))
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome)
    } catch (error) {
      if (group.length > 1 && isFaultOfRows(error)) for (const one of group) await answer([one])
      else for (const { reject } of group) reject(error)
    }
  }

  const send = () => {
    while (waiting.length > 0 && underWay < groupLimits.underWay) {
      underWay += 1
      void answer(waiting.splice(0, groupLimits.rows)).then(() => {
        underWay -= 1
        if (!sending.isScheduled()) send()
        if (underWay === 0 && waiting.length === 0) for (const resolve of drained.splice(0)) resolve()
      })
    }
  }
  const sending = createTurnTask(send)

  return {
    write: (given) =>
      new Promise((resolve, reject) => {
        waiting.push({ given, resolve, reject })
        if (underWay < groupLimits.underWay) sending.schedule()
      }),
    drain: () =>
      new Promise((resolve) => {
        if (underWay === 0 && waiting.length === 0) resolve()
        else drained.push(resolve)
      }),
  }
}
