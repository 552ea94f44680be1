import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ConfigurationError } from './configurationError.ts'

/** Maximum size of a secret file, in bytes. A keystore takes about 500. */
const maxBytes = 65_536
/**
 * Permission bits that must be off: all bits for others, and the group's write bit. The group may read, because
 * systemd's credentials are group-readable.
 */
const forbiddenBits = 0o027

/**
 * Reads a small secret file as text. All checks are made on the opened file, so that it cannot be swapped between check
 * and read. Opening a pipe does not block.
 *
 * @param what name of the file in error messages, such as `keystore`.
 * @throws {ConfigurationError} if the file cannot be read, or if its permissions are too permissive.
 */
export async function readPrivateFile(path: string, what: string): Promise<string> {
  const fail = (problem: string, cause?: unknown) =>
    new ConfigurationError(`The ${what} ${path} ${problem}.`, cause === undefined ? {} : { cause })
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: NodeJS.ErrnoException) => {
    throw fail(cause.code === 'ENOENT' ? 'does not exist' : 'cannot be read', cause)
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw fail('is not a regular file')
    // Windows has no permission bits.
    if (process.getuid !== undefined && (stats.mode & forbiddenBits) !== 0) {
      const mode = (stats.mode & 0o777).toString(8)
      throw fail(`is accessible to other users (mode ${mode}); run \`chmod 600 ${path}\``)
    }
    if (stats.size > maxBytes) throw fail(`is too large (${stats.size} bytes)`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
