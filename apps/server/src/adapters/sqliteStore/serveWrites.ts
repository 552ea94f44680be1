// Why: docs/decisions/0019-group-commit.md
import { OutcomeUnknownError } from '../../ports/errors.ts'
import { yieldToEventLoop } from '../../scheduling/slicedTask.ts'
import type { OpenDatabase } from './openDatabase.ts'
import { isStoreError } from './sqliteFailure.ts'
import type { WriteOperations } from './writeOperations.ts'

/** The name of a write. */
export type WriteName = keyof WriteOperations

/** A write as plain data. */
export type WriteRequest = {
  [Name in WriteName]: [name: Name, argument: Parameters<WriteOperations[Name]>[0]]
}[WriteName]

/** The outcome of a write after its commit. */
export type WriteAnswer = { value: unknown } | { error: unknown }

/**
 * Commits writes in groups: all writes that arrived during the previous commit share one commit and one wait for the disk. If a group fails, it is
 * rolled back and its writes are retried one by one, so that one bad write does not fail the others. A database error or an unknown outcome applies
 * to the whole group.
 *
 * @param answer receives the answers of each group in order, after its commit.
 * @returns a function that receives requests.
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
      // Reads requests that arrived during the commit.
      await yieldToEventLoop()
    }
    running = false
  }

  return (requests) => {
    waiting.push(...requests)
    if (!running) void serve()
  }
}
