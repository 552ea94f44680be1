import { openSqlite } from '@firmquote/node-runtime/openSqlite'
import type { Database, Statement } from 'better-sqlite3'
import type { Logger } from 'pino'
import { OutcomeUnknownError } from '../../ports/errors.ts'
import type { Tables } from '../sqlStore/sql/schema.ts'
import { type Asked, runNow, type Script } from '../sqlStore/sql/script.ts'
import { migrations } from './migrations.ts'
import { isRefusedCommit } from './sqliteFailure.ts'
import { watchFile } from './watchFile.ts'

/** A database's path and cache size. */
export type DatabaseSettings = {
  /** A path, or `:memory:`. */
  file: string
  /** The file that locks the database's directory for this process; none if there is no lock. */
  lockFile?: string
  /** Maximum cache size of each connection, in MiB. */
  cacheMiB: number
}

/** Maximum milliseconds that a write waits while another process holds the database lock. */
const lockTimeoutMs = 1_000

const pragmasOf = (cacheMiB: number) => [
  // A new quote changes one page in every index, and the log contains whole pages, so smaller pages make the log
  // smaller. An existing database keeps its page size.
  'page_size = 2048',
  // Quotes are keyed by hash, so they are spread across all pages. A large cache therefore reduces the number of reads.
  // With infrequent checkpoints, a page that changed several times is written once.
  `cache_size = ${-1024 * cacheMiB}`,
  'wal_autocheckpoint = 8000',
  // Truncates the log if a long read made it grow.
  `journal_size_limit = ${64 * 1024 * 1024}`,
]

/** Runs a script synchronously. */
export type RunScript = <Result>(script: Script<Result>) => Result

/** A connection to a database. */
export type OpenDatabase = {
  /** Runs a script synchronously, in the current transaction if any. */
  run: RunScript
  /**
   * Runs work in a transaction. If `work` throws, the transaction is rolled back and the error is rethrown.
   *
   * @throws {StorageUnavailableError} under the same conditions as `checkFiles`.
   * @throws {OutcomeUnknownError} if the commit failed but may be on disk.
   */
  transact<Result>(work: () => Result): Result
  /** Runs read-only queries in a single snapshot. */
  snapshot<Result>(read: () => Result): Result
  /**
   * Checks that the database belongs to this process alone: neither its files nor the lock were removed or replaced, and
   * the database has no second name.
   *
   * @throws {StorageUnavailableError} if not. The message says what happened and what to do.
   */
  checkFiles(): void
  close(): void
}

/**
 * Opens or creates a database and runs its migrations. `log` receives their progress.
 *
 * @throws {ConfigurationError} if the file cannot be opened.
 */
export async function openDatabase(
  { file, lockFile, cacheMiB }: DatabaseSettings,
  log?: Pick<Logger, 'info'>,
): Promise<OpenDatabase> {
  const pragmas = pragmasOf(cacheMiB)
  const { database } = await openSqlite<Tables>(file, {
    setting: 'DATA_DIR',
    timeoutMs: lockTimeoutMs,
    pragmas,
    migrations,
    ...(log && { log }),
  })
  // Acquires the write lock first, so that reads within the transaction remain valid.
  const transaction = database.transaction((work: () => unknown) => work()).immediate
  const snapshot = database.transaction((read: () => unknown) => read()).deferred
  const answer = createAnswer(database)
  const checks = [file, `${file}-wal`].map((path) =>
    watchFile(path, {
      replaced: `The file ${path} was removed or replaced while the server was using it; put the original file back, or stop the server and restore a backup.`,
      isDatabase: path === file,
    }),
  )
  if (lockFile !== undefined) {
    const replaced = `The lock ${lockFile} was removed or replaced, so a second server could use this directory; stop every other server on it, then restart this one.`
    checks.push(watchFile(lockFile, { replaced, isDatabase: false }))
  }
  const checkFiles = () => {
    for (const check of checks) check()
  }
  return {
    run: (script) => runNow(answer, script),
    checkFiles,
    transact<Result>(work: () => Result) {
      checkFiles()
      let committing = false
      try {
        return transaction(() => {
          const result = work()
          committing = true
          return result
        }) as Result
      } catch (cause) {
        if (!committing || isRefusedCommit(cause)) throw cause
        throw new OutcomeUnknownError('The commit failed; it may be on disk.', { cause })
      }
    },
    snapshot: <Result>(read: () => Result) => snapshot(read) as Result,
    close() {
      database.close()
    },
  }
}

function createAnswer(database: Database): (asked: Asked) => unknown[] {
  // The map is bounded, because the code has a fixed number of queries.
  const statements = new Map<object, Statement<unknown[]>>()
  return ({ query, given }) => {
    const compiled = query.sqlite
    if (!compiled) return []
    let statement = statements.get(query)
    if (!statement) {
      statement = database.prepare<unknown[]>(compiled.sql)
      if (query.pluck) statement.pluck()
      statements.set(query, statement)
    }
    const values = compiled.bind(given as never)
    if (statement.reader) return statement.all(...values)
    statement.run(...values)
    return []
  }
}
