import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { ConfigurationError } from '../../errors.ts'
import { migrate } from './migrations.ts'
import type { Tables } from './schema.ts'

/**
 * Opens (or creates) a daemon's database for this process alone, and brings it up to date.
 *
 * @throws {ConfigurationError} when another daemon has it, or it cannot be opened as it must be.
 */
export async function openDatabase(file: string): Promise<Kysely<Tables>> {
  // Only now: on an older Node the native module ends the process without a word.
  const { default: SqliteDatabase } = await import('better-sqlite3')
  let database: Database | undefined
  try {
    // Signed quotes are for this user alone.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    database = new SqliteDatabase(file, { timeout: 1_000 })
    prepare(database, file)
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
    await migrate(db, file)
    return db
  } catch (cause) {
    database?.close()
    if (cause instanceof ConfigurationError) throw cause
    throw isBusy(cause) ? inUse(file) : cannotOpen(file, cause)
  }
}

function prepare(database: Database, file: string): void {
  // Two daemons with one database would each count their own promises alone. The lock goes with the process, however it ends.
  database.pragma('locking_mode = exclusive')
  const journal = database.pragma('journal_mode = wal', { simple: true })
  database.pragma('synchronous = full')
  // SQLite answers with what it has set, and may silently keep what it had.
  const synchronous = database.pragma('synchronous', { simple: true })
  if (journal === 'wal' && synchronous === 2) return
  throw new ConfigurationError(
    `The database ${file} does not keep its promises: its journal is ${String(journal)} instead of wal, synchronous ${String(synchronous)} instead of 2; choose a dataDir on a local disk.`,
  )
}

function isBusy(cause: unknown): boolean {
  return String((cause as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')
}

function inUse(file: string): ConfigurationError {
  return new ConfigurationError(
    `Another daemon is using the database ${file}; stop that one first, or give this one a dataDir and a key of its own.`,
  )
}

function cannotOpen(file: string, cause: unknown): ConfigurationError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ConfigurationError(
    `The database ${file} cannot be opened: ${reason}; choose another dataDir, or make this one writable.`,
    { cause },
  )
}
