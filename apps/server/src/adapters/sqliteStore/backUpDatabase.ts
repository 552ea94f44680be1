import { closeSync, openSync, rmSync } from 'node:fs'
import { ConfigurationError } from '../../ports/errors.ts'
import { databaseFile } from './openOwnedStore.ts'

/**
 * Copies a data directory's database, even while a server is using it.
 *
 * @param target path of the copy, which must not exist.
 * @throws {ConfigurationError} if the copy fails. No partial copy is left behind.
 */
export async function backUpDatabase(directory: string, target: string): Promise<void> {
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const file = databaseFile(directory)
  const fail = (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new ConfigurationError(`Failed to copy the database ${file} to ${target}: ${reason}.`, { cause })
  }
  try {
    // Makes the file readable only by its owner; fails if the file exists.
    closeSync(openSync(target, 'wx', 0o600))
  } catch (cause) {
    throw fail(cause)
  }
  try {
    const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5_000 })
    try {
      // A read transaction keeps the snapshot unchanged. Without the transaction, every write by the server would
      // restart the backup.
      database.exec('begin')
      database.prepare('select count(*) from sqlite_master').get()
      await database.backup(target)
    } finally {
      database.close()
    }
    const copy = new SqliteDatabase(target)
    // Reading a file in WAL mode would create more files next to it. The server restores the mode.
    copy.pragma('journal_mode = delete')
    copy.close()
  } catch (cause) {
    rmSync(target, { force: true })
    throw fail(cause)
  }
}
