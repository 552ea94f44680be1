import { statSync } from 'node:fs'
import { ConfigurationError, StorageUnavailableError } from '../../ports/errors.ts'

/**
 * Returns a check that a path still refers to the file that it refers to now, or that is created there first. Writes to a
 * removed or replaced file would succeed, but the data would be lost.
 *
 * The check throws a {@link StorageUnavailableError} with the message `replaced`, or the one of {@link hardLinkMessage}
 * if the file of a database has another name.
 */
export function watchFile(
  path: string,
  { replaced, isDatabase }: { replaced: string; isDatabase: boolean },
): () => void {
  const find = () => statSync(path, { throwIfNoEntry: false })
  let opened = find()
  return () => {
    const found = find()
    opened ??= found
    if (found?.ino !== opened?.ino || found?.dev !== opened?.dev) throw new StorageUnavailableError(replaced)
    if (isDatabase && found && found.nlink > 1) throw new StorageUnavailableError(hardLinkMessage(path))
  }
}

/**
 * Refuses a database file with several names. SQLite derives the names of its log and locks from the name of the
 * database, so programs that use different names corrupt the data.
 *
 * @throws {ConfigurationError} if the file has another name.
 */
export function refuseHardLinks(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1) throw new ConfigurationError(hardLinkMessage(file))
}

const hardLinkMessage = (file: string) =>
  `The database ${file} has a second name (a hard link), and a program that opens it there would corrupt it; find the other name with "find / -xdev -samefile ${file}", and remove it.`
