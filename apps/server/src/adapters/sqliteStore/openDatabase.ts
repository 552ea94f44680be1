import { openSqlite } from '@firmquote/program/openSqlite'
import type { Database, Statement } from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { migrations } from './migrations.ts'
import type { PreparedQuery, RunQuery } from './preparedQuery.ts'
import type { Tables } from './schema.ts'

const keptStatements = 200

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
  db: Kysely<Tables>
  /** Runs the few queries that every quote needs: Kysely's way to a row takes several times as long as SQLite's. */
  run: RunQuery
}

/**
 * Opens (or creates) a database and brings it up to date.
 *
 * @param file a path, or `:memory:`.
 * @throws {ConfigurationError} when the file cannot be opened as it must be.
 */
export async function openDatabase(file: string): Promise<OpenDatabase> {
  const options = { setting: 'DATA_DIR', timeoutMs: 5_000, pragmas, migrations, dialectDatabase: withKeptStatements }
  const { database, db } = await openSqlite<Tables>(file, options)
  return { db, run: createRun(database) }
}

function createRun(database: Database): RunQuery {
  const statements = new Map<PreparedQuery<unknown>, Statement<unknown[]>>()
  return <Row>(query: PreparedQuery<Row>, parameters: readonly unknown[]) => {
    let statement = statements.get(query)
    if (!statement) {
      statement = database.prepare<unknown[]>(query.sql)
      if (query.pluck) statement.pluck()
      statements.set(query, statement)
    }
    if (statement.reader) return statement.all(...parameters) as Row[]
    statement.run(...parameters)
    return []
  }
}

/** The same few statements run all the time: they are compiled once. */
function withKeptStatements(database: Database) {
  const kept = new Map<string, Statement<unknown[]>>()
  return {
    prepare(sql: string) {
      const statement = kept.get(sql) ?? database.prepare<unknown[]>(sql)
      // The one used longest ago is the first in the map.
      kept.delete(sql)
      kept.set(sql, statement)
      const [oldest] = kept.keys()
      if (kept.size > keptStatements && oldest !== undefined) kept.delete(oldest)
      return statement
    },
    close: () => {
      database.close()
    },
  }
}
