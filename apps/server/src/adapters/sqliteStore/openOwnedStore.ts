import { join } from 'node:path'
import { ownDirectory } from '@firmquote/node-runtime/ownDirectory'
import type { Store } from '../../ports/store.ts'
import { checkFiles } from './checkFiles.ts'
import { restrictToOwner } from './restrictToOwner.ts'
import { createSqliteStore, type SqliteStoreOptions } from './sqliteStore.ts'

/** The database in a directory of data. */
export function databaseFile(directory: string): string {
  return join(directory, 'firmquote.db')
}

/**
 * Opens the store in a directory of data, which this process alone has until the store is closed. Only the user that it runs as
 * can read the files.
 *
 * @throws {ConfigurationError} when another process has the directory, or the database cannot be opened as it must be.
 */
export async function openOwnedStore(
  directory: string,
  options: Omit<SqliteStoreOptions, 'file'> = {},
): Promise<Store> {
  const owner = await ownDirectory(directory, { setting: 'DATA_DIR', program: 'server' })
  try {
    const file = databaseFile(directory)
    checkFiles(file, owner.previous !== null)
    const files = restrictToOwner(file)
    if (files.length > 0)
      options.log?.warn({ files }, 'files of the database were open to other users; now they are not')
    const store = await createSqliteStore({ ...options, file })
    // Those that are new.
    restrictToOwner(file)
    return { ...store, close: () => store.close().finally(owner.release) }
  } catch (error) {
    owner.release()
    throw error
  }
}
