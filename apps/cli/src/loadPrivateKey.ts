import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Hex } from 'viem'
import type { Context } from './context.ts'
import { UsageError } from './errors.ts'

const maxFileBytes = 1_024

/**
 * Loads the signing key from `--key-file`, or else from `FIRMQUOTE_PRIVATE_KEY`. The key is never accepted on the
 * command line, which is visible to every user of the machine. The key is redacted in all later output.
 *
 * @throws {UsageError} if the key is missing or invalid, or if other users could read its file.
 */
export async function loadPrivateKey(
  context: Pick<Context, 'environment' | 'hide'>,
  keyFile: string | undefined,
): Promise<Hex> {
  const given = keyFile === undefined ? context.environment['FIRMQUOTE_PRIVATE_KEY'] : await loadPrivateFile(keyFile)
  const place = keyFile === undefined ? 'FIRMQUOTE_PRIVATE_KEY' : 'The key file'
  if (given === undefined || given.trim() === '') {
    throw new UsageError(
      keyFile === undefined
        ? 'A private key is required: set FIRMQUOTE_PRIVATE_KEY, or pass a file with --key-file.'
        : 'The key file is empty.',
    )
  }
  const key = given.trim()
  context.hide(key)
  if (!isKey(key)) throw new UsageError(`${place} does not contain a private key (0x followed by 64 hex digits).`)
  return key
}

/**
 * Reads a key file. All checks apply to the opened file, which therefore cannot be swapped between the check and the
 * read. If the path is a pipe, opening it does not block.
 */
async function loadPrivateFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`The key file cannot be opened (${cause.code ?? 'unknown'}).`)
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new UsageError('The key file is not a regular file.')
    if (process.getuid !== undefined) {
      if (stats.uid !== process.getuid()) throw new UsageError('The key file belongs to another user.')
      const mode = stats.mode & 0o777
      if ((mode & 0o077) !== 0) {
        throw new UsageError(`The key file is accessible to other users (mode ${mode.toString(8)}); run chmod 600.`)
      }
    }
    if (stats.size > maxFileBytes) throw new UsageError('The key file is too large to be a key.')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function isKey(text: string): text is Hex {
  return /^0x[0-9a-f]{64}$/i.test(text)
}
