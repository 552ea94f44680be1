import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ConfigurationError } from './configurationError.ts'

/** The longest file with a secret: a keystore has about 500 bytes. */
const longestBytes = 65_536
/** Others may not read or change it, the group may not change it. It may read: systemd's credentials are given like that. */
const openBits = 0o027

/**
 * Reads a small file with a secret in it, as text. All checks are made on the opened file, so that nobody can swap it in
 * between, and a pipe does not keep the opening waiting.
 *
 * @param what it is, for the sentence of an error: `keystore`.
 * @throws {ConfigurationError} when it cannot be read, or users other than its owner can read or change it.
 */
export async function readPrivateFile(path: string, what: string): Promise<string> {
  const fail = (problem: string, cause?: unknown) =>
    new ConfigurationError(`The ${what} ${path} ${problem}.`, cause === undefined ? {} : { cause })
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: NodeJS.ErrnoException) => {
    throw fail(cause.code === 'ENOENT' ? 'is not there' : 'cannot be read', cause)
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw fail('is not a regular file')
    // Windows has no such bits.
    if (process.getuid !== undefined && (stats.mode & openBits) !== 0) {
      const mode = (stats.mode & 0o777).toString(8)
      throw fail(`is open to others (mode ${mode}); \`chmod 600 ${path}\` closes it`)
    }
    if (stats.size > longestBytes) throw fail(`is too long for one (${stats.size} bytes)`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
