// Why: docs/decisions/0025-directory-lock.md
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { ConfigurationError } from './configurationError.ts'

/** The one process that uses a directory. */
export type DirectoryOwner = {
  /** Who had it before; null for nobody. */
  previous: Ownership | null
  /** Lets the next one have it, as does the end of the process. */
  release(): void
}

/** A process that has or had a directory. `since` is Unix milliseconds. */
export type Ownership = { pid: number; since: number }

/** How a directory is asked for. */
export type OwnDirectoryOptions = {
  /** The setting that names the directory, for the sentence that says what to change. */
  setting: string
  /** What runs there: `server`. */
  program: string
  /** How long a process that is about to end is waited for, in milliseconds. */
  timeoutMs?: number
}

/**
 * Makes this process the owner of a directory, which is created if need be. The lock is a write transaction on a database of
 * its own, `owner.db`, that is never committed: it ends with the process, however that ends, and leaves readable who holds it.
 *
 * @throws {ConfigurationError} when another process has it, with its id and since when; or the lock cannot be had at all.
 */
export async function ownDirectory(
  directory: string,
  { setting, program, timeoutMs = 500 }: OwnDirectoryOptions,
): Promise<DirectoryOwner> {
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const file = join(directory, 'owner.db')
  let database: Database | undefined
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    database = new SqliteDatabase(file, { timeout: timeoutMs })
    const lock = database
    const previous = take(lock)
    return {
      previous,
      release() {
        lock.close()
      },
    }
  } catch (cause) {
    const code = (cause as { code?: unknown }).code
    const owner = database && String(code).startsWith('SQLITE_BUSY') ? findOwner(database) : null
    database?.close()
    throw new ConfigurationError(
      owner
        ? `Another ${program} is using ${directory}: process ${owner.pid}, since ${new Date(owner.since).toISOString()}; stop that one first, or set ${setting} to another directory.`
        : `The lock ${file} cannot be had: ${cause instanceof Error ? cause.message : String(cause)}; set ${setting} to another directory, or make this one writable.`,
      { cause },
    )
  }
}

/** Takes the lock with this process's name under it, which has to be committed before: until both are so, again. */
function take(database: Database): Ownership | null {
  database.exec(
    'create table if not exists owner (id integer primary key check (id = 1), token text not null, pid integer not null, since integer not null) strict',
  )
  const token = randomUUID()
  let previous: Ownership | null = null
  for (;;) {
    database.exec('begin immediate')
    const owner = database.prepare<[], Ownership & { token: string }>('select token, pid, since from owner').get()
    if (owner?.token === token) return previous
    previous ??= owner ? { pid: owner.pid, since: owner.since } : null
    database
      .prepare('insert or replace into owner (id, token, pid, since) values (1, ?, ?, ?)')
      .run(token, process.pid, Date.now())
    database.exec('commit')
  }
}

function findOwner(database: Database): Ownership | null {
  try {
    return database.prepare<[], Ownership>('select pid, since from owner').get() ?? null
  } catch {
    return null
  }
}
