import { backUpDatabase } from '../adapters/sqliteStore/backUpDatabase.ts'
import { ConfigurationError } from '../ports/errors.ts'
import { settings } from './settings.ts'

/**
 * Copies the database of `DATA_DIR` to a file.
 *
 * @throws {ConfigurationError} whose `shortMessage` says why there is no copy.
 */
export async function backUp(environment: Readonly<Record<string, string | undefined>>, target: string): Promise<void> {
  if (environment['DATABASE_URL']?.trim()) {
    throw new ConfigurationError(
      'The database of DATABASE_URL is backed up by PostgreSQL: with pg_dump, or with pg_basebackup and its archived log to go back to any moment.',
    )
  }
  await backUpDatabase(settings.DATA_DIR.shape.parse(environment['DATA_DIR']?.trim() || undefined), target)
}
