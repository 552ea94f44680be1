import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { lockSync } from '../sqlStore/sql/locks.ts'
import type { PreparedQuery } from '../sqlStore/sql/preparedQuery.ts'
import { type Asked, runInSlices, type Script } from '../sqlStore/sql/script.ts'
import type { PostgresPool, QueryPostgres } from './postgresPool.ts'

/**
 * Runs scripts on PostgreSQL. Some methods take a function that starts the script, because the script may have to be
 * restarted.
 */
export type ScriptRunner = {
  /** Runs a script whose queries each see earlier commits. */
  ask<Result>(script: Script<Result>): Promise<Result>
  /** Runs a script in a single snapshot. */
  see<Result>(begin: () => Script<Result>): Promise<Result>
  /** Runs a script in one READ COMMITTED transaction. */
  write<Result>(begin: () => Script<Result>): Promise<Result>
}

/** A script requested the sync lock after acquiring other locks, which could deadlock. */
class LockedTooLate extends Error {}

export function createScriptRunner(pool: Pick<PostgresPool, 'query' | 'transact' | 'snapshot'>): ScriptRunner {
  const transact = <Result>(begin: () => Script<Result>, locksSync: boolean): Promise<Result> =>
    pool.transact(async (query) => {
      let locked = locksSync
      let isFirst = true
      if (locksSync) await answer(query, { query: lockSync, given: undefined })
      return runInSlices(async (asked) => {
        if (asked.query === lockSync) {
          if (locked) return []
          if (!isFirst) throw new LockedTooLate()
          locked = true
        }
        isFirst = false
        return answer(query, asked)
      }, begin())
    })

  return {
    ask: (script) => reading(runInSlices((asked) => answer(pool.query, asked), script)),
    see: (begin) => reading(pool.snapshot((query) => runInSlices((asked) => answer(query, asked), begin()))),
    async write(begin) {
      try {
        return await transact(begin, false)
      } catch (error) {
        if (!(error instanceof LockedTooLate)) throw error
        return transact(begin, true)
      }
    },
  }
}

/** Reports unknown outcomes as failures, because a read changes nothing. */
async function reading<Result>(answered: Promise<Result>): Promise<Result> {
  try {
    return await answered
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error
    throw new StorageUnavailableError('The database is not responding.', { cause: error.cause })
  }
}

async function answer(query: QueryPostgres, { query: prepared, given }: Asked): Promise<unknown[]> {
  const { sql, bind } = prepared.postgres
  const rows = await query<object>(sql, bind(given as never), nameOf(prepared))
  return prepared.pluck ? rows.map((row) => Object.values(row)[0]) : rows
}

/** Statement names, the same on every connection, so that each connection prepares a query only once. */
const names = new WeakMap<object, string>()
let named = 0

function nameOf(query: PreparedQuery<never, unknown>): string {
  let name = names.get(query)
  if (name === undefined) {
    named += 1
    name = `script_${named}`
    names.set(query, name)
  }
  return name
}
