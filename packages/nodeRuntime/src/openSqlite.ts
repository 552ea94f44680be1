import { mkdirSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Logger } from 'pino'
import { ConfigurationError } from './configurationError.ts'
import { connectSqlite } from './connectSqlite.ts'

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
  /** Receives the progress of an upgrade. Default: none. */
  log?: Pick<Logger, 'info'>
}

/**
 * Free space that an upgrade needs, as a multiple of the database's size. One transaction runs all migrations, so the log
 * holds every page that they change. It grew to 0.9 times the size of databases with 100,000 and 400,000 quotes.
 */
const upgradeSpace = 1.25
/** Milliseconds between log entries during a long migration. */
const progressMs = 5_000

/** Acknowledged writes must survive a power failure. */
const durability = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }

/**
 * Opens or creates a SQLite database that only this user can read, and migrates it to the latest schema.
 *
 * @param file a path, or `:memory:`.
 * @throws {ConfigurationError} if the database cannot be opened safely or migrated, or if a newer version of the program
 * wrote it. The message says why. The cause is SQLite's error. A failed migration leaves the database unchanged.
 */
export async function openSqlite<Tables>(
  file: string,
  options: SqliteOptions,
): Promise<{ database: Database; db: Kysely<Tables> }> {
  const { setting, timeoutMs, pragmas } = options
  let database: Database | undefined
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    database = await connectSqlite(file, { timeout: timeoutMs })
    for (const pragma of pragmas) database.pragma(pragma)
    setDurability(database, file, setting)
    await migrate(database, file, options)
    return { database, db: new Kysely<Tables>({ dialect: new SqliteDialect({ database }) }) }
  } catch (cause) {
    database?.close()
    if (isDamage(cause)) {
      throw new ConfigurationError(`The database ${file} is corrupt; restore a backup, or change ${setting}.`, {
        cause,
      })
    }
    if (cause instanceof ConfigurationError) throw cause
    const remedy = isFull(cause) ? 'free space on it' : 'make it writable'
    throw new ConfigurationError(
      `The database ${file} cannot be opened: ${reasonOf(cause)}; ${remedy}, or change ${setting}.`,
      { cause },
    )
  }
}

/** Whether this error or one of its causes reports a corrupt SQLite file. */
const isDamage = (error: unknown): boolean => hasCode(error, /^SQLITE_(?:CORRUPT|NOTADB)/)

/** Whether this error or one of its causes reports a full disk. On one, SQLite cannot create a log's index (`SHMSIZE`). */
const isFull = (error: unknown): boolean => hasCode(error, /^SQLITE_(?:FULL|IOERR_SHMSIZE)/)

function hasCode(error: unknown, pattern: RegExp): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return pattern.test(String(code)) || hasCode(cause, pattern)
}

function reasonOf(error: unknown): string {
  if (isFull(error)) return 'its disk is full'
  // The addon's errors may be of another realm.
  return (error as Error).message
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

async function migrate(
  database: Database,
  file: string,
  { setting, migrations, log }: Pick<SqliteOptions, 'setting' | 'migrations' | 'log'>,
): Promise<void> {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000)
  let current = ''
  /** The first failed statement's error. When a disk is full, SQLite rolls back, so Kysely's rollback fails too. */
  let failure: unknown
  let reportedAt = startedAt
  const report = () => {
    if (current === '' || performance.now() - reportedAt < progressMs) return
    reportedAt = performance.now()
    const changedRows = database.prepare('select total_changes()').pluck().get()
    log?.info({ migration: current, seconds: seconds(), changedRows }, 'still migrating the database')
  }
  const named = ([name, { up }]: [string, Migration]): [string, Migration] => [
    name,
    {
      async up(db) {
        current = name
        await up(db)
      },
    },
  ]
  const db = new Kysely<unknown>({
    dialect: new AtomicSqliteDialect({ database }),
    // Called after each statement.
    log(event) {
      if (event.level === 'error') failure ??= event.error
      else report()
    },
  })
  const all = Object.fromEntries(Object.entries(migrations).map(named))
  const migrator = new Migrator({ db, provider: { getMigrations: async () => all } })
  const known = await migrator.getMigrations()
  const pending = known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
  const isUpgrade = pending.length > 0 && pending.length < known.length && file !== ':memory:'
  const bytes = isUpgrade ? statSync(file).size : 0
  if (isUpgrade) {
    checkSpace(file, bytes)
    log?.info({ file, bytes, migrations: pending }, 'migrating the database; this can take minutes')
  }
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw migrationFailure(failure ?? error, { file, setting, current, bytes })
  if (isUpgrade) log?.info({ seconds: seconds() }, 'migrated the database')
}

/** @throws {ConfigurationError} if the disk may be too small for an upgrade. */
function checkSpace(file: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(file))
  const free = bavail * bsize
  if (free >= bytes * upgradeSpace) return
  throw new ConfigurationError(
    `The database ${file} cannot be migrated: its disk has ${megabytes(free)} MB free, and the migration needs ${megabytes(bytes * upgradeSpace)} MB; free space on it, then start again. The database is unchanged.`,
  )
}

function migrationFailure(
  cause: unknown,
  { file, setting, current, bytes }: { file: string; setting: string; current: string; bytes: number },
): ConfigurationError {
  const subject = `The database ${file} cannot be migrated`
  const isUnknown = cause instanceof Error && cause.message.startsWith('corrupted migrations:')
  if (isUnknown) {
    const message = `${subject}; if a newer version wrote it, run that version, or change ${setting}.`
    return new ConfigurationError(message, { cause })
  }
  const remedy = isFull(cause)
    ? `free at least ${megabytes(bytes * upgradeSpace)} MB on it, then start again`
    : 'run the previous version, and report this error'
  return new ConfigurationError(
    `${subject}: ${reasonOf(cause)} (during ${current || 'the preparation'}); ${remedy}. The database is unchanged.`,
    { cause },
  )
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6)
