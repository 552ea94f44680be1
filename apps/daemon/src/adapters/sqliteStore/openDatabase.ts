import { openSqlite } from '@firmquote/node-runtime/openSqlite'
import type { Kysely } from 'kysely'
import { ConfigurationError } from '../../errors.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './schema.ts'

/**
 * Locks the database exclusively, because two daemons sharing it would each count only their own quotes. The lock is
 * released when the process ends, even after `kill -9`.
 */
const pragmas = ['locking_mode = exclusive']

/**
 * Opens or creates a daemon's database exclusively and migrates it.
 *
 * @throws {ConfigurationError} if another daemon is using it, or if it cannot be opened safely.
 */
export async function openDatabase(file: string): Promise<Kysely<Tables>> {
  try {
    const { db } = await openSqlite<Tables>(file, { setting: 'dataDir', timeoutMs: 1_000, pragmas, migrations })
    return db
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } }
    if (!String(cause?.code).startsWith('SQLITE_BUSY')) throw error
    throw new ConfigurationError(
      `Another daemon is using the database ${file}; stop that daemon first, or give this one its own dataDir and key.`,
    )
  }
}
