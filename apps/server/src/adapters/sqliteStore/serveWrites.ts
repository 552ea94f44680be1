import type { Kysely, Transaction } from 'kysely'
import { nextTurn } from '../../scheduling/turnTask.ts'
import type { Tables } from './schema.ts'
import type { WriteOperations } from './writeOperations.ts'

/** The name of a write. */
export type WriteName = keyof WriteOperations

/** One write as plain data. */
export type WriteRequest = {
  [Name in WriteName]: [name: Name, argument: Parameters<WriteOperations[Name]>[1]]
}[WriteName]

/** What became of a write, after its commit. */
export type WriteAnswer = { value: unknown } | { error: unknown }

/**
 * Serves writes in groups: one commit, and so one wait for the disk, for everything that arrived during the commit
 * before. A group that fails is rolled back whole, then its writes run one by one, so that one that is at fault harms no
 * other.
 *
 * @param answer is given the answers of each group in the order of its requests, after the commit.
 * @returns what takes requests.
 */
export function serveWrites(
  db: Kysely<Tables>,
  operations: WriteOperations,
  answer: (answers: WriteAnswer[]) => void,
): (requests: readonly WriteRequest[]) => void {
  let waiting: WriteRequest[] = []
  let running = false

  const commit = async (group: readonly WriteRequest[]): Promise<WriteAnswer[]> => {
    try {
      return await db.transaction().execute(async (transaction) => {
        const answers: WriteAnswer[] = []
        for (const [name, argument] of group) {
          const operation = operations[name] as (
            transaction: Transaction<Tables>,
            argument: unknown,
          ) => Promise<unknown>
          answers.push({ value: await operation(transaction, argument) })
        }
        return answers
      })
    } catch (error) {
      if (group.length === 1) return [{ error }]
      const answers: WriteAnswer[] = []
      for (const request of group) answers.push(...(await commit([request])))
      return answers
    }
  }

  const serve = async () => {
    running = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      answer(await commit(group))
      // Lets in what has arrived meanwhile.
      await nextTurn()
    }
    running = false
  }

  return (requests) => {
    waiting.push(...requests)
    if (!running) void serve()
  }
}
