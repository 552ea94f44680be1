import { chmodSync, statSync } from 'node:fs'
import { ConfigurationError } from '../../ports/errors.ts'

/**
 * Takes a database's files from everyone but their owner: what is in it is for its service. Gives those that were open to others.
 *
 * @throws {ConfigurationError} when one is open to others and belongs to another user.
 */
export function restrictToOwner(file: string): string[] {
  const open = [file, `${file}-wal`, `${file}-shm`].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats !== undefined && (stats.mode & 0o077) !== 0
  })
  for (const path of open) {
    try {
      chmodSync(path, 0o600)
    } catch (cause) {
      throw new ConfigurationError(
        `The file ${path} is open to other users, and cannot be closed to them; give it to the user that the server runs as (chown), or set its mode to 600.`,
        { cause },
      )
    }
  }
  return open
}
