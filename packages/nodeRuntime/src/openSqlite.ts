import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ConfigurationError } from './configurationError.ts'

/** How a database is opened. */
export type SqliteOptions = {
  /** The setting that says where databases lie, for sentences that say what to change. */
  setting: string
  /** How long a lock is waited for, in milliseconds. */
  timeoutMs: number
  /** What is set before anything is written: `page_size = 2048`. */
  pragmas: readonly string[]
  /** In order; one that has been released is never changed. */
  migrations: Record<string, Migration>
}

/** What has been acknowledged must survive a loss of power. */
const durability = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }

/**
 * Opens (or creates) a SQLite database for this user alone, and brings it up to date.
 *
 * @param file a path, or `:memory:`.
 * @throws {ConfigurationError} when it cannot be opened as it must be, or a newer version has written it; its cause is SQLite's.
 */
export async function openSqlite<Tables>(
  file: string,
  options: SqliteOptions,
): Promise<{ database: Database; db: Kysely<Tables> }> {
  // Only now: on an older Node the native module ends the process without a message.
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
      throw new ConfigurationError(
        `The database ${file} is damaged; restore a backup of it, or choose another ${setting}.`,
        { cause },
      )
    }
    if (cause instanceof ConfigurationError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigurationError(
      `The database ${file} cannot be opened: ${reason}; choose another ${setting}, or make this one writable.`,
      { cause },
    )
  }
}

/** Whether SQLite has found what it has not written: in its own error, or in one that has that as its cause. */
function isDamage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(code)) || isDamage(cause)
}

/** Brings a database up to date in one transaction: one that is cut short in it is as it was. */
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
    // SQLite may silently keep what it had.
    const actual = database.pragma(name, { simple: true })
    if (actual === wanted || (file === ':memory:' && name === 'journal_mode')) continue
    throw new ConfigurationError(
      `The database ${file} would lose data in a loss of power: ${name} is ${String(actual)} instead of ${wanted}; choose a ${setting} on a local disk.`,
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
    `The database ${file} cannot be brought up to date; if a newer version has written it, run that version or choose another ${setting}.`,
    { cause: error },
  )
}
