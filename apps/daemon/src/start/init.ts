import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { sealKeystore } from '../adapters/keystore.ts'
import { ConfigurationError } from '../errors.ts'
import { exampleConfiguration } from './exampleConfiguration.ts'

/** The name of the configuration file, unless another is given. */
export const configurationFile = 'firmquote-daemon.yaml'
const keystoreFile = 'keystore.json'
const shortestPassword = 8

/** Where {@link init} writes, and with which password. */
export type InitOptions = {
  folder: string
  /** Gives the password of the new keystore. Called only when neither file exists. */
  loadPassword: () => Promise<string>
  /** The cost of opening the keystore; tests take less. */
  scrypt?: Parameters<typeof sealKeystore>[2]
}

/**
 * Writes a commented configuration and a new keystore, both for this user alone. Never overwrites anything.
 *
 * @returns the new maker's address, and the files.
 * @throws {ConfigurationError} when one of the files is there already, or the password is too short.
 */
export async function init({ folder, loadPassword, scrypt }: InitOptions) {
  const configuration = join(folder, configurationFile)
  const keystore = join(folder, keystoreFile)
  for (const file of [configuration, keystore]) if (existsSync(file)) throw isThere(file)
  const password = await loadPassword()
  if (password.length < shortestPassword) {
    throw new ConfigurationError(`The password must have ${shortestPassword} characters at least; nothing was written.`)
  }
  const privateKey = generatePrivateKey()
  const sealed = await sealKeystore(privateKey, password, scrypt)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The keystore first: a configuration without its keystore would only block the next attempt.
  await writeNew(keystore, sealed)
  await writeNew(configuration, exampleConfiguration)
  return { address: privateKeyToAddress(privateKey), configuration, keystore }
}

async function writeNew(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600, flush: true })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw isThere(file)
    throw new ConfigurationError(`${file} cannot be written: ${(cause as Error).message}`, { cause })
  }
}

function isThere(file: string): ConfigurationError {
  return new ConfigurationError(`${file} is there already and is not overwritten; choose another folder with --dir.`)
}
