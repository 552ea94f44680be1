import { existsSync } from 'node:fs'
import { lockDirectory } from '@firmquote/node-runtime/lockDirectory'
import { openSqlite } from '@firmquote/node-runtime/openSqlite'
import { copyDatabase } from '../adapters/postgresStore/copyDatabase.ts'
import { migrate } from '../adapters/postgresStore/migrate.ts'
import { migrations as postgresMigrations } from '../adapters/postgresStore/migrations.ts'
import { checkFiles } from '../adapters/sqliteStore/checkFiles.ts'
import { migrations } from '../adapters/sqliteStore/migrations.ts'
import { databaseFile } from '../adapters/sqliteStore/openOwnedStore.ts'
import type { Tables } from '../adapters/sqlStore/sql/schema.ts'
import { ConfigurationError } from '../ports/errors.ts'
import { settings } from './settings.ts'

/**
 * Copies the database in `DATA_DIR` to PostgreSQL. No server may be using the database in `DATA_DIR`.
 *
 * @throws {ConfigurationError} if the copy fails or is incomplete. `shortMessage` says why and what to do.
 */
export async function copy(
  environment: Readonly<Record<string, string | undefined>>,
  target: string,
  report: (line: string) => void,
): Promise<void> {
  const directory = settings.DATA_DIR.shape.parse(environment['DATA_DIR']?.trim() || undefined)
  if (!settings.DATABASE_URL.shape.safeParse(target).success) {
    throw new ConfigurationError('copy --to needs a URL like postgres://user:password@host:5432/database.')
  }
  const file = databaseFile(directory)
  if (!existsSync(file))
    throw new ConfigurationError(`There is no database at ${file}; set DATA_DIR to the directory that contains it.`)
  const owner = await lockDirectory(directory, { setting: 'DATA_DIR', program: 'server' })
  try {
    checkFiles(file, owner.previous !== null)
    const { database } = await openSqlite<Tables>(file, {
      setting: 'DATA_DIR',
      timeoutMs: 1_000,
      pragmas: [],
      migrations,
    })
    try {
      if (database.pragma('quick_check(1)', { simple: true }) !== 'ok') {
        throw new ConfigurationError(`The database ${file} is damaged; restore it from a backup.`)
      }
      await migrate(target, { migrations: postgresMigrations })
      await copyDatabase({ source: database, target, report })
    } finally {
      database.close()
    }
  } finally {
    owner.release()
  }
}
