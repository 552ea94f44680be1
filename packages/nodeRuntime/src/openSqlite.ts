import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ConfigurationError } from './configurationError.ts'

/** Options for {@link openSqlite}. */
export type SqliteOptions = {
  /** Name of the setting for the database directory, for error messages. */
  setting: string
  /** Milliseconds to wait for a lock. */
  timeoutMs: number
  /** Pragmas to set before the first write, such as `page_size = 2048`. */
  pragmas: readonly string[]
  /** Migrations in order. A released migration must never change. */
  migrations: Record<string, Migration>
}

/** Acknowledged writes must survive a power failure. */
const durability = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }

/**
 * Opens or creates a SQLite database that only this user can read, and migrates it to the latest schema.
 *
 * @param file a path, or `:memory:`.
 * @throws {ConfigurationError} if the database cannot be opened safely, or if a newer version of the program wrote it. The
 * cause is SQLite's error.
 */
export async function openSqlite<Tables>(
  file: string,
  options: SqliteOptions,
): Promise<{ database: Database; db: Kysely<Tables> }> {
  // Import the native module only now, because on older versions of Node.js it ends the process without a message.
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const { setting, timeoutMs, pragmas, migrations } = options
  let database: Database | undefined
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    database = new SqliteDatabase(file, { timeout: timeoutMs })
    for (const pragma of pragmas) database.pragma(pragma)
    setDurability(database, file, setting)
    const db = new Kysely<Tables>({ dialect: new AtomicSqliteDialect({ database }) })
    await migrate(db, file, { setting, migrations })
    return { database, db }
  } catch (cause) {
    database?.close()
    if (isDamage(cause)) {
      throw new ConfigurationError(`The database ${file} is corrupt; restore a backup, or change ${setting}.`, {
        cause,
      })
    }
    if (cause instanceof ConfigurationError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigurationError(
      `The database ${file} cannot be opened: ${reason}; make it writable, or change ${setting}.`,
      { cause },
    )
  }
}

/** Whether this error or one of its causes reports a corrupt SQLite file. */
function isDamage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(code)) || isDamage(cause)
}

/** Runs all migrations in one transaction, so that an interrupted migration changes nothing. */
class AtomicSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new AtomicSqliteAdapter()
  }
}

class AtomicSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function setDurability(database: Database, file: string, setting: string): void {
  for (const [name, wanted] of Object.entries(durability)) {
    database.pragma(`${name} = ${wanted}`)
    // SQLite may silently keep the old value, so read it back.
    const actual = database.pragma(name, { simple: true })
    if (actual === wanted || (file === ':memory:' && name === 'journal_mode')) continue
    throw new ConfigurationError(
      `The database ${file} would lose data in a power failure: ${name} is ${String(actual)} instead of ${wanted}; move ${setting} to a local disk.`,
    )
  }
}

async function migrate<Tables>(
  db: Kysely<Tables>,
  file: string,
  { setting, migrations }: Pick<SqliteOptions, 'setting' | 'migrations'>,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  throw new ConfigurationError(
    `The database ${file} cannot be migrated; if a newer version wrote it, run that version, or change ${setting}.`,
    { cause: error },
  )
}
