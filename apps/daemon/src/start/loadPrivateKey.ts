import { readPrivateFile } from '@firmquote/node-runtime/readPrivateFile'
import { type Hex, isHex, size } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { openKeystore } from '../adapters/keystore.ts'
import { ConfigurationError } from '../errors.ts'

/** Where a key may come from. */
export type KeySources = {
  /** FIRMQUOTE_PRIVATE_KEY. */
  privateKey: string | undefined
  /** FIRMQUOTE_KEYSTORE_PASSWORD. */
  password: string | undefined
  keystore: string | undefined
  passwordFile: string | undefined
  /** Asks on the terminal; null without one. */
  ask: ((question: string) => Promise<string>) | null
}

/** A key, and every secret that must not be written anywhere. */
export type LoadedKey = { privateKey: Hex; secrets: string[] }

/**
 * Loads the maker's key from the environment or from the keystore.
 *
 * @throws {ConfigurationError} when there is none, or both are given, or it does not open; no secret is repeated.
 */
export async function loadPrivateKey(sources: KeySources): Promise<LoadedKey> {
  const { keystore } = sources
  const given = sources.privateKey?.trim()
  if (given && keystore !== undefined) {
    throw new ConfigurationError(
      `There are two keys, FIRMQUOTE_PRIVATE_KEY in the environment and the keystore ${keystore}, and it is not clear which maker is meant: unset the one, or take key.keystore out of the configuration.`,
    )
  }
  if (given) {
    if (isPrivateKey(given)) return { privateKey: given, secrets: [] }
    throw new ConfigurationError(
      'FIRMQUOTE_PRIVATE_KEY is not a private key: it must be 0x and 64 hex digits (what was given is not shown).',
    )
  }
  if (keystore === undefined) {
    throw new ConfigurationError(
      'There is no key: set key.keystore in the configuration, or FIRMQUOTE_PRIVATE_KEY in the environment; `firmquote-daemon init` makes a keystore.',
    )
  }
  const content = await readPrivateFile(keystore, 'keystore')
  const password = await loadPassword(sources)
  return { privateKey: await openKeystore(content, password, keystore), secrets: [password] }
}

/**
 * Loads the password of a keystore: from the environment, else from a file, else from the terminal.
 *
 * @throws {ConfigurationError} when there is none.
 */
export async function loadPassword(
  { password, passwordFile, ask }: Pick<KeySources, 'password' | 'passwordFile' | 'ask'>,
  question = 'Password of the keystore: ',
): Promise<string> {
  if (password) return password
  if (passwordFile !== undefined) {
    // One line, as editors and `echo` write it; the password itself may have spaces at its ends.
    const [line = ''] = (await readPrivateFile(passwordFile, 'password file')).split(/\r?\n/)
    if (line !== '') return line
    throw new ConfigurationError(`The password file ${passwordFile} is empty; its first line must be the password.`)
  }
  if (ask) return ask(question)
  throw new ConfigurationError(
    'There is no password for the keystore, and no terminal to ask on: set FIRMQUOTE_KEYSTORE_PASSWORD, or key.passwordFile.',
  )
}

function isPrivateKey(text: string): text is Hex {
  if (!isHex(text) || size(text) !== 32 || text.length !== 66) return false
  try {
    privateKeyToAddress(text)
    return true
  } catch {
    // Zero or beyond the curve's order. The error beneath may repeat the key, so it is dropped.
    return false
  }
}
