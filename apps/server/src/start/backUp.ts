import { backUpDatabase } from '../adapters/sqliteStore/backUpDatabase.ts'
import { ConfigurationError } from '../ports/errors.ts'
import { settings } from './settings.ts'

/**
 * Copies the database in `DATA_DIR` to a file.
 *
 * @throws {ConfigurationError} if the copy fails. `shortMessage` says why.
 */
export async function backUp(environment: Readonly<Record<string, string | undefined>>, target: string): Promise<void> {
  if (environment['DATABASE_URL']?.trim()) {
    throw new ConfigurationError(
      "Use PostgreSQL's tools to back up the database of DATABASE_URL: pg_dump, or pg_basebackup with archived WAL for point-in-time recovery.",
    )
  }
  await backUpDatabase(settings.DATA_DIR.shape.parse(environment['DATA_DIR']?.trim() || undefined), target)
}
