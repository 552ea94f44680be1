import { closeSync, openSync, rmSync } from 'node:fs'
import { ConfigurationError } from '../../ports/errors.ts'
import { databaseFile } from './openOwnedStore.ts'

/**
 * Copies the database of a data directory, also while a server uses it.
 *
 * @param target path of the copy, which must not exist.
 * @throws {ConfigurationError} if the copy fails; no copy is left.
 */
export async function backUpDatabase(directory: string, target: string): Promise<void> {
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const file = databaseFile(directory)
  const fail = (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new ConfigurationError(`Failed to copy the database ${file} to ${target}: ${reason}.`, { cause })
  }
  try {
    // Creates the file readable for its owner only, and fails if it exists.
    closeSync(openSync(target, 'wx', 0o600))
  } catch (cause) {
    throw fail(cause)
  }
  try {
    const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5_000 })
    try {
      // A read transaction keeps the snapshot; without one, the backup would restart on every write of the server.
      database.exec('begin')
      database.prepare('select count(*) from sqlite_master').get()
      await database.backup(target)
    } finally {
      database.close()
    }
  } catch (cause) {
    rmSync(target, { force: true })
    throw fail(cause)
  }
}
