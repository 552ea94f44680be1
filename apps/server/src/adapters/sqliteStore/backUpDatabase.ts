import { closeSync, openSync, rmSync } from 'node:fs'
import { ConfigurationError } from '../../ports/errors.ts'
import { databaseFile } from './openOwnedStore.ts'

/**
 * Copies the database in a directory of data as it is at this moment, whether or not a server is using it.
 *
 * @param target where the copy goes; there must be nothing yet.
 * @throws {ConfigurationError} when it cannot be copied; then there is no copy.
 */
export async function backUpDatabase(directory: string, target: string): Promise<void> {
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const file = databaseFile(directory)
  const fail = (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new ConfigurationError(`The database ${file} could not be copied to ${target}: ${reason}.`, { cause })
  }
  try {
    // For this user alone, and never over something that is there.
    closeSync(openSync(target, 'wx', 0o600))
  } catch (cause) {
    throw fail(cause)
  }
  try {
    const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5_000 })
    try {
      // One moment for all of the copy: without a transaction it would begin anew with every write of the server.
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
