import { statSync } from 'node:fs'
import { openSqlite } from '@firmquote/node-runtime/openSqlite'
import type { Database, Statement } from 'better-sqlite3'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import type { Tables } from '../sqlStore/sql/schema.ts'
import { type Asked, runNow, type Script } from '../sqlStore/sql/script.ts'
import { migrations } from './migrations.ts'
import { isRefusedCommit } from './sqliteFailure.ts'

/** Which database is opened, and with how much memory. */
export type DatabaseSettings = {
  /** A path, or `:memory:`. */
  file: string
  /** How much of it each connection keeps in memory at most, in MiB. */
  cacheMiB: number
}

/** How long another process may keep the database locked before a write is refused. */
const lockTimeoutMs = 1_000

const pragmasOf = (cacheMiB: number) => [
  // A new quote changes a page of every index, each somewhere else, and pages are logged whole: half the size, half the log.
  // A database that is there keeps the size that it has.
  'page_size = 2048',
  // Quotes lie wherever their hash falls: what is kept in memory is not read again, and what changes again before the log
  // is folded into the file is written there once.
  `cache_size = ${-1024 * cacheMiB}`,
  'wal_autocheckpoint = 8000',
  // A long read lets the log grow; afterwards it gives the space back.
  `journal_size_limit = ${64 * 1024 * 1024}`,
]

/** Runs a script at once. */
export type RunScript = <Result>(script: Script<Result>) => Result

/** One connection to a database. */
export type OpenDatabase = {
  /** Runs a script at once, within whatever transaction is open. */
  run: RunScript
  /**
   * Runs everything in one transaction: it throws what `work` throws, and then nothing was changed.
   *
   * @throws {StorageUnavailableError} as `checkFile` does.
   * @throws {OutcomeUnknownError} when the commit has failed, and may be on disk all the same.
   */
  transact<Result>(work: () => Result): Result
  /** Runs queries alone, all of which see the database as it is at the first of them. */
  snapshot<Result>(read: () => Result): Result
  /**
   * An open file that was removed or replaced still takes what is written, and is gone with the process.
   *
   * @throws {StorageUnavailableError} when the file is not the one that was opened.
   */
  checkFile(): void
  close(): void
}

/**
 * Opens (or creates) a database and brings it up to date.
 *
 * @throws {ConfigurationError} when the file cannot be opened as it must be.
 */
export async function openDatabase({ file, cacheMiB }: DatabaseSettings): Promise<OpenDatabase> {
  const pragmas = pragmasOf(cacheMiB)
  const { database } = await openSqlite<Tables>(file, {
    setting: 'DATA_DIR',
    timeoutMs: lockTimeoutMs,
    pragmas,
    migrations,
  })
  // Locked from the start: what is read within it is what is changed.
  const transaction = database.transaction((work: () => unknown) => work()).immediate
  const snapshot = database.transaction((read: () => unknown) => read()).deferred
  const answer = createAnswer(database)
  // Of a database in memory there is none, before and after.
  const findFile = () => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  }
  const opened = findFile()
  const checkFile = () => {
    if (findFile() === opened) return
    throw new StorageUnavailableError(`The database ${file} was removed or replaced while it was open; put it back.`)
  }
  return {
    run: (script) => runNow(answer, script),
    checkFile,
    transact<Result>(work: () => Result) {
      checkFile()
      let committing = false
      try {
        return transaction(() => {
          const result = work()
          committing = true
          return result
        }) as Result
      } catch (cause) {
        if (!committing || isRefusedCommit(cause)) throw cause
        throw new OutcomeUnknownError('The commit has failed; whether it is on disk is not known.', { cause })
      }
    },
    snapshot: <Result>(read: () => Result) => snapshot(read) as Result,
    close() {
      database.close()
    },
  }
}

function createAnswer(database: Database): (asked: Asked) => unknown[] {
  // As many as there are queries in the code.
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
