// Why: docs/decisions/0019-group-commit.md
import { OutcomeUnknownError } from '../../ports/errors.ts'
import { yieldToEventLoop } from '../../scheduling/slicedTask.ts'
import type { OpenDatabase } from './openDatabase.ts'
import { isStoreError } from './sqliteFailure.ts'
import type { WriteOperations } from './writeOperations.ts'

/** The name of a write. */
export type WriteName = keyof WriteOperations

/** One write as plain data. */
export type WriteRequest = {
  [Name in WriteName]: [name: Name, argument: Parameters<WriteOperations[Name]>[0]]
}[WriteName]

/** What became of a write, after its commit. */
export type WriteAnswer = { value: unknown } | { error: unknown }

/**
 * Serves writes in groups: one commit, and so one wait for the disk, for everything that arrived during the commit
 * before. A group that fails is rolled back whole, then its writes run one by one, so that one that is at fault harms no
 * other; unless it is the database that fails, or the outcome is unknown: then that is the answer to all.
 *
 * @param answer is given the answers of each group in the order of its requests, after the commit.
 * @returns what takes requests.
 */
export function serveWrites(
  { transact }: Pick<OpenDatabase, 'transact'>,
  operations: WriteOperations,
  answer: (answers: WriteAnswer[]) => void,
): (requests: readonly WriteRequest[]) => void {
  let waiting: WriteRequest[] = []
  let running = false

  const perform = ([name, argument]: WriteRequest): WriteAnswer => {
    const operation = operations[name] as (argument: unknown) => unknown
    return { value: operation(argument) }
  }

  const commit = (group: readonly WriteRequest[]): WriteAnswer[] => {
    try {
      return transact(() => group.map(perform))
    } catch (error) {
      const isOfAll = group.length === 1 || error instanceof OutcomeUnknownError || isStoreError(error)
      return isOfAll ? group.map(() => ({ error })) : group.flatMap((request) => commit([request]))
    }
  }

  const serve = async () => {
    running = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      answer(commit(group))
      // Lets in what has arrived meanwhile.
      await yieldToEventLoop()
    }
    running = false
  }

  return (requests) => {
    waiting.push(...requests)
    if (!running) void serve()
  }
}
