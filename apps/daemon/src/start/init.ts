import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { sealKeystore } from '../adapters/keystore.ts'
import { ConfigurationError } from '../errors.ts'
import { exampleConfiguration } from './exampleConfiguration.ts'

/** Default name of the configuration file. */
export const configurationFile = 'firmquote-daemon.yaml'
const keystoreFile = 'keystore.json'
const minPasswordLength = 8

/** Options of {@link init}. */
export type InitOptions = {
  folder: string
  /** Returns the password for the new keystore. Called only if neither the configuration nor the keystore exists. */
  loadPassword: () => Promise<string>
  /** Scrypt parameters for the keystore. Tests use cheaper ones. */
  scrypt?: Parameters<typeof sealKeystore>[2]
}

/**
 * Writes a commented configuration and a new keystore that only this user can read. Never overwrites a file.
 *
 * @returns the new maker's address and the file names.
 * @throws {ConfigurationError} if one of the files exists or the password is too short.
 */
export async function init({ folder, loadPassword, scrypt }: InitOptions) {
  const configuration = join(folder, configurationFile)
  const keystore = join(folder, keystoreFile)
  for (const file of [configuration, keystore]) if (existsSync(file)) throw isThere(file)
  const password = await loadPassword()
  if (password.length < minPasswordLength) {
    throw new ConfigurationError(
      `The password must have at least ${minPasswordLength} characters. No file was written.`,
    )
  }
  const privateKey = generatePrivateKey()
  const sealed = await sealKeystore(privateKey, password, scrypt)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Write the keystore first, because a configuration without a keystore would block the next attempt.
  await writeNew(keystore, sealed)
  await writeNew(configuration, exampleConfiguration)
  return { address: privateKeyToAddress(privateKey), configuration, keystore }
}

async function writeNew(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600, flush: true })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw isThere(file)
    throw new ConfigurationError(`Failed to write ${file}: ${(cause as Error).message}`, { cause })
  }
}

function isThere(file: string): ConfigurationError {
  return new ConfigurationError(`${file} already exists and was not overwritten; choose another folder with --dir.`)
}
