import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database, Statement } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { ConfigurationError } from '../../errors.ts'
import { migrate } from './migrations.ts'
import { checkNodeVersion } from './nodeVersion.ts'
import type { PreparedQuery, RunQuery } from './preparedQuery.ts'
import type { Tables } from './schema.ts'

const busyTimeoutMs = 5_000
const keptStatements = 200

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
 * @throws {ConfigurationError} when Node is too old, or the file cannot be opened as it must be.
 */
export async function openDatabase(file: string): Promise<OpenDatabase> {
  checkNodeVersion()
  // Only now: on an older Node the native module ends the process without a word.
  const { default: SqliteDatabase } = await import('better-sqlite3')
  let database: Database
  try {
    // Signed quotes and the ids that open auctions are for this user alone.
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    database = new SqliteDatabase(file, { timeout: busyTimeoutMs })
  } catch (cause) {
    throw cannotOpen(file, cause)
  }
  try {
    prepare(database, file)
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: withKeptStatements(database) }) })
    await migrate(db, file)
    return { db, run: createRun(database) }
  } catch (cause) {
    database.close()
    throw cause instanceof ConfigurationError ? cause : cannotOpen(file, cause)
  }
}

function prepare(database: Database, file: string): void {
  // A new quote changes a page of every index, each somewhere else, and pages are logged whole: half the size, half the log.
  // A database that is there keeps the size that it has.
  database.pragma('page_size = 2048')
  // SQLite answers with what it has set, and may silently keep what it had.
  const journal = database.pragma('journal_mode = wal', { simple: true })
  if (journal !== 'wal' && file !== ':memory:') {
    throw new ConfigurationError(
      `The database ${file} cannot use a write-ahead log (it answers ${String(journal)}); choose a DATA_DIR on a local disk.`,
    )
  }
  database.pragma('synchronous = full')
  // Quotes lie wherever their hash falls: what is kept in memory is not read again, and what changes again before the log
  // is folded into the file is written there once.
  database.pragma('cache_size = -65536')
  database.pragma('wal_autocheckpoint = 8000')
  database.pragma('foreign_keys = on')
  const synchronous = database.pragma('synchronous', { simple: true })
  const foreignKeys = database.pragma('foreign_keys', { simple: true })
  if (synchronous !== 2 || foreignKeys !== 1) {
    throw new ConfigurationError(
      `The database ${file} does not keep its promises: synchronous is ${String(synchronous)} instead of 2, foreign_keys ${String(foreignKeys)} instead of 1.`,
    )
  }
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

function cannotOpen(file: string, cause: unknown): ConfigurationError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ConfigurationError(
    `The database ${file} cannot be opened: ${reason}; choose another DATA_DIR, or make this one writable.`,
    { cause },
  )
}
