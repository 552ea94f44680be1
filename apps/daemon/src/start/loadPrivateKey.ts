import { readPrivateFile } from '@firmquote/node-runtime/readPrivateFile'
import { type Hex, isHex, size } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { openKeystore } from '../adapters/keystore.ts'
import { ConfigurationError } from '../errors.ts'

/** Possible sources of the key. */
export type KeySources = {
  /** FIRMQUOTE_PRIVATE_KEY. */
  privateKey: string | undefined
  /** FIRMQUOTE_KEYSTORE_PASSWORD. */
  password: string | undefined
  keystore: string | undefined
  passwordFile: string | undefined
  /** Prompts on the terminal. Null if there is none. */
  ask: ((question: string) => Promise<string>) | null
}

/** A key and the secrets that must not be logged. */
export type LoadedKey = { privateKey: Hex; secrets: string[] }

/**
 * Loads the maker's key from the environment or the keystore.
 *
 * @throws {ConfigurationError} if there is no key, if both are set, or if the keystore cannot be decrypted. The message
 * contains no secrets.
 */
export async function loadPrivateKey(sources: KeySources): Promise<LoadedKey> {
  const { keystore } = sources
  const given = sources.privateKey?.trim()
  if (given && keystore !== undefined) {
    throw new ConfigurationError(
      `Both FIRMQUOTE_PRIVATE_KEY and the keystore ${keystore} are set: unset the variable, or remove key.keystore from the configuration.`,
    )
  }
  if (given) {
    if (isPrivateKey(given)) return { privateKey: given, secrets: [] }
    throw new ConfigurationError(
      'FIRMQUOTE_PRIVATE_KEY is not a private key: it must be 0x and 64 hex digits (the value is not shown).',
    )
  }
  if (keystore === undefined) {
    throw new ConfigurationError(
      'No key is configured: set key.keystore or FIRMQUOTE_PRIVATE_KEY; `firmquote-daemon init` creates a keystore.',
    )
  }
  const content = await readPrivateFile(keystore, 'keystore')
  const password = await loadPassword(sources)
  return { privateKey: await openKeystore(content, password, keystore), secrets: [password] }
}

/**
 * Loads a keystore's password from the environment, a file or the terminal, in this order.
 *
 * @throws {ConfigurationError} if there is none.
 */
export async function loadPassword(
  { password, passwordFile, ask }: Pick<KeySources, 'password' | 'passwordFile' | 'ask'>,
  question = 'Keystore password: ',
): Promise<string> {
  if (password) return password
  if (passwordFile !== undefined) {
    // Use the first line only, because editors and `echo` append a newline. The password may begin or end with spaces.
    const [line = ''] = (await readPrivateFile(passwordFile, 'password file')).split(/\r?\n/)
    if (line !== '') return line
    throw new ConfigurationError(`The password file ${passwordFile} is empty; its first line must be the password.`)
  }
  if (ask) return ask(question)
  throw new ConfigurationError(
    'The keystore needs a password, and there is no terminal: set FIRMQUOTE_KEYSTORE_PASSWORD or key.passwordFile.',
  )
}

function isPrivateKey(text: string): text is Hex {
  if (!isHex(text) || size(text) !== 32 || text.length !== 66) return false
  try {
    privateKeyToAddress(text)
    return true
  } catch {
    // The key is zero or exceeds the curve's order. Drop the original error, because it may contain the key.
    return false
  }
}
