import { chmodSync, statSync } from 'node:fs'
import { ConfigurationError } from '../../ports/errors.ts'

/**
 * Restricts database files to their owner. Returns the files that other users could access.
 *
 * @throws {ConfigurationError} if a file cannot be restricted because another user owns it.
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
        `The file ${path} is open to other users and its mode cannot be changed; make the server's user its owner (chown), or set its mode to 600.`,
        { cause },
      )
    }
  }
  return open
}
