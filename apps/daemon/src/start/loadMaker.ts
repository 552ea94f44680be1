import { readPrivateFile } from '@firmquote/node-runtime/readPrivateFile'
import type { Address } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { readKeystoreAddress } from '../adapters/keystore.ts'
import { type KeySources, loadPrivateKey } from './loadPrivateKey.ts'

/**
 * Loads the maker's address. A keystore usually contains the address, so no password is needed.
 *
 * @throws {ConfigurationError} if there is no key, or if the keystore contains no address and cannot be decrypted.
 */
export async function loadMaker(sources: KeySources): Promise<Address> {
  const { keystore } = sources
  if (!sources.privateKey?.trim() && keystore !== undefined) {
    const address = readKeystoreAddress(await readPrivateFile(keystore, 'keystore'), keystore)
    if (address !== null) return address
  }
  const { privateKey } = await loadPrivateKey(sources)
  return privateKeyToAddress(privateKey)
}
