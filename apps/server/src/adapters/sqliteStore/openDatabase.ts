import { openSqlite } from '@firmquote/program/openSqlite'
import type { Database, Statement } from 'better-sqlite3'
import { migrations } from './migrations.ts'
import type { PreparedQuery, RunQuery } from './preparedQuery.ts'
import type { Tables } from './schema.ts'

const pragmas = [
  // A new quote changes a page of every index, each somewhere else, and pages are logged whole: half the size, half the log.
  // A database that is there keeps the size that it has.
  'page_size = 2048',
  // Quotes lie wherever their hash falls: what is kept in memory is not read again, and what changes again before the log
  // is folded into the file is written there once.
  'cache_size = -65536',
  'wal_autocheckpoint = 8000',
]

/** One connection to a database. */
export type OpenDatabase = {
  run: RunQuery
  /** Runs everything in one transaction: it throws what `work` throws, and then nothing was changed. */
  transact<Result>(work: () => Result): Result
  close(): void
}

/**
 * Opens (or creates) a database and brings it up to date.
 *
 * @param file a path, or `:memory:`.
 * @throws {ConfigurationError} when the file cannot be opened as it must be.
 */
export async function openDatabase(file: string): Promise<OpenDatabase> {
  const { database } = await openSqlite<Tables>(file, { setting: 'DATA_DIR', timeoutMs: 5_000, pragmas, migrations })
  const transaction = database.transaction((work: () => unknown) => work())
  return {
    run: createRun(database),
    transact: <Result>(work: () => Result) => transaction(work) as Result,
    close() {
      database.close()
    },
  }
}

function createRun(database: Database): RunQuery {
  // As many as there are queries in the code.
  const statements = new Map<object, Statement<unknown[]>>()
  return <Given, Row>(query: PreparedQuery<Given, Row>, ...[given]: unknown extends Given ? [] : [given: Given]) => {
    let statement = statements.get(query)
    if (!statement) {
      statement = database.prepare<unknown[]>(query.sql)
      if (query.pluck) statement.pluck()
      statements.set(query, statement)
    }
    const values = query.bind(given as Given)
    if (statement.reader) return statement.all(...values) as Row[]
    statement.run(...values)
    return []
  }
}
