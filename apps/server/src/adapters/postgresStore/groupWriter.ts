// Why: docs/decisions/0046-postgresql-writes.md
import type { Clock } from '@firmquote/core/utils'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'
import { isRowError } from './postgresFailure.ts'

/** Writes items of one kind in groups. */
export type GroupWriter<Given, Outcome> = {
  write(given: Given): Promise<Outcome>
  /** Resolves once no write is waiting or in flight. */
  drain(): Promise<void>
}

/**
 * Maximum rows per group, maximum groups in flight, and minimum milliseconds between the starts of two groups. A
 * transaction costs the client and the server about as much as ten rows, so an isolated write starts immediately, while
 * a steady stream of writes is grouped.
 */
export const groupLimits = { rows: 128, inFlight: 2, apart: 8 }

/**
 * Creates a writer. Each commit waits for the disk once, so writes made in the same tick, or before the next group may
 * start, share a transaction. A full group starts immediately. If a group fails because of its rows, its writes are
 * retried one by one, so that one bad row does not fail the others.
 *
 * @param commit writes a group and returns the outcomes in the same order.
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
