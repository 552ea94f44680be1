import { backUpDatabase } from '../adapters/sqliteStore/backUpDatabase.ts'
import { settings } from './settings.ts'

/**
 * Copies the database of `DATA_DIR` to a file.
 *
 * @throws {ConfigurationError} whose `shortMessage` says why there is no copy.
 */
export async function backUp(environment: Readonly<Record<string, string | undefined>>, target: string): Promise<void> {
  await backUpDatabase(settings.DATA_DIR.shape.parse(environment['DATA_DIR']?.trim() || undefined), target)
}
