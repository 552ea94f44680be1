// Why: docs/decisions/0025-directory-lock.md
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { ConfigurationError } from './configurationError.ts'
import { connectSqlite } from './connectSqlite.ts'

/** This process's lock on a directory. */
export type DirectoryLock = {
  /** Path of the file that is locked. While it is missing, other processes can lock the directory. */
  file: string
  /** The previous owner, or null if there was none. */
  previous: LockOwner | null
  /** Releases the lock. The lock is also released when the process ends. */
  release(): void
}

/** A process that owns or previously owned a directory. `since` is in Unix milliseconds. */
export type LockOwner = { pid: number; since: number }

/** Options for {@link lockDirectory}. */
export type LockDirectoryOptions = {
  /** Name of the setting for the directory, for error messages. */
  setting: string
  /** Name of the program that uses the directory, such as `server`. */
  program: string
  /** Milliseconds to wait for the previous owner to exit. */
  timeoutMs?: number
}

/**
 * Locks a directory for this process, and creates it if necessary. The lock is a write transaction on `owner.db` that is
 * never committed. The transaction ends with the process, even on `kill -9`. Other processes can still read the owner's
 * process id while the lock is held.
 *
 * @throws {ConfigurationError} if another process owns the directory (the message contains its process id and the time of its
 * lock), or if the lock cannot be acquired.
 */
export async function lockDirectory(
  directory: string,
  { setting, program, timeoutMs = 500 }: LockDirectoryOptions,
): Promise<DirectoryLock> {
  const file = join(directory, 'owner.db')
  let database: Database | undefined
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    database = await connectSqlite(file, { timeout: timeoutMs })
    const lock = database
    const previous = acquire(lock)
    return {
      file,
      previous,
      release() {
        lock.close()
      },
    }
  } catch (cause) {
    const code = (cause as { code?: unknown }).code
    const owner = database && String(code).startsWith('SQLITE_BUSY') ? findOwner(database) : null
    database?.close()
    if (cause instanceof ConfigurationError) throw cause
    throw new ConfigurationError(
      owner
        ? `Another ${program} is using ${directory}: process ${owner.pid}, since ${new Date(owner.since).toISOString()}; stop that process first, or set ${setting} to another directory.`
        : `The lock ${file} cannot be acquired: ${cause instanceof Error ? cause.message : String(cause)}; make the directory writable, or set ${setting} to another directory.`,
      { cause },
    )
  }
}

/**
 * Acquires the lock with this process recorded as the owner. The record must be committed before the lock is taken, so
 * another process may overwrite the record in between. Both steps repeat until the lock's holder is also the recorded
 * owner.
 */
function acquire(database: Database): LockOwner | null {
  database.exec(
    'create table if not exists owner (id integer primary key check (id = 1), token text not null, pid integer not null, since integer not null) strict',
  )
  const token = randomUUID()
  let previous: LockOwner | null = null
  for (;;) {
    database.exec('begin immediate')
    const owner = database.prepare<[], LockOwner & { token: string }>('select token, pid, since from owner').get()
    if (owner?.token === token) return previous
    previous ??= owner ? { pid: owner.pid, since: owner.since } : null
    database
      .prepare('insert or replace into owner (id, token, pid, since) values (1, ?, ?, ?)')
      .run(token, process.pid, Date.now())
    database.exec('commit')
  }
}

function findOwner(database: Database): LockOwner | null {
  try {
    return database.prepare<[], LockOwner>('select pid, since from owner').get() ?? null
  } catch {
    return null
  }
}
