import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { privateKeyToAddress } from 'viem/accounts'
import { sealKeystore } from '../adapters/keystore.ts'
import { loadMaker } from './loadMaker.ts'

const privateKey = `0x${'42'.repeat(32)}` as const
const address = privateKeyToAddress(privateKey)
const none = { privateKey: undefined, password: undefined, keystore: undefined, passwordFile: undefined, ask: null }
let sealed: string
useFolder(beforeAll, afterAll)
beforeAll(async () => {
  sealed = await sealKeystore(privateKey, 'secret', { n: 2, r: 1, p: 1 })
})

function keystore(change: (fields: Record<string, unknown>) => void = () => {}): string {
  const fields = JSON.parse(sealed) as Record<string, unknown>
  change(fields)
  const file = join(folder, `${Math.random()}.json`)
  writeFileSync(file, JSON.stringify(fields), { mode: 0o600 })
  return file
}

test('default: the address of a keystore without its password, and of a key', async () => {
  expect(await loadMaker({ ...none, keystore: keystore() })).toBe(address)
  expect(await loadMaker({ ...none, privateKey })).toBe(address)
})

test('behavior: decrypts a keystore without an address', async () => {
  const nameless = keystore((fields) => {
    delete fields['address']
  })
  expect(await loadMaker({ ...none, keystore: nameless, password: 'secret' })).toBe(address)
  await expect(loadMaker({ ...none, keystore: nameless })).rejects.toThrow(/needs a password/)
})

test('error: two keys, and none', async () => {
  await expect(loadMaker({ ...none, privateKey, keystore: keystore() })).rejects.toThrow(/^Both .* are set/)
  await expect(loadMaker(none)).rejects.toThrow(/No key is configured/)
})
