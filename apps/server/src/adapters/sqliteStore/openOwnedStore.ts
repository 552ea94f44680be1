import { join } from 'node:path'
import { lockDirectory } from '@firmquote/node-runtime/lockDirectory'
import type { Store } from '../../ports/store.ts'
import { checkFiles } from './checkFiles.ts'
import { restrictToOwner } from './restrictToOwner.ts'
import { createSqliteStore, type SqliteStoreOptions } from './sqliteStore.ts'
import { refuseHardLinks } from './watchFile.ts'

/** A data directory's database file. */
export function databaseFile(directory: string): string {
  return join(directory, 'firmquote.db')
}

/**
 * Opens the store in a data directory, which this process owns until the store is closed. Only this process's user can
 * read the files.
 *
 * @throws {ConfigurationError} if another process owns the directory, or the database has a hard link or cannot be opened.
 */
export async function openOwnedStore(
  directory: string,
  options: Omit<SqliteStoreOptions, 'file' | 'lockFile'> = {},
): Promise<Store> {
  const owner = await lockDirectory(directory, { setting: 'DATA_DIR', program: 'server' })
  try {
    const file = databaseFile(directory)
    refuseHardLinks(file)
    checkFiles(file, owner.previous !== null)
    const files = restrictToOwner(file)
    if (files.length > 0) options.log?.warn({ files }, 'restricted database files that other users could read')
    const store = await createSqliteStore({ ...options, file, lockFile: owner.file })
    // Restricts the files created when the database was opened.
    restrictToOwner(file)
    return { ...store, close: () => store.close().finally(owner.release) }
  } catch (error) {
    owner.release()
    throw error
  }
}
