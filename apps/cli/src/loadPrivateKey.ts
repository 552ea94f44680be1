import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Hex } from 'viem'
import type { Context } from './context.ts'
import { UsageError } from './errors.ts'

const longestFile = 1_024

/**
 * Loads the private key that signs: from `--key-file`, else from `FIRMQUOTE_PRIVATE_KEY`. Never from the command line, which
 * every user of the machine can see. Whatever is written afterwards does not show it.
 *
 * @throws {UsageError} when there is none, when it is not a key, or when others could read its file.
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
        ? 'A private key is needed: put it into FIRMQUOTE_PRIVATE_KEY, or its file into --key-file.'
        : 'The key file is empty.',
    )
  }
  const key = given.trim()
  context.hide(key)
  if (!isKey(key)) throw new UsageError(`${place} does not hold a private key: 0x and 64 hex digits.`)
  return key
}

/** All checks are made on the opened file, so that nobody can swap it in between; a pipe must not keep the opening waiting. */
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
        throw new UsageError(`The key file is open to other users (mode ${mode.toString(8)}); chmod 600 closes it.`)
      }
    }
    if (stats.size > longestFile) throw new UsageError('The key file is too long for a key.')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function isKey(text: string): text is Hex {
  return /^0x[0-9a-f]{64}$/i.test(text)
}
