import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sealKeystore } from '../adapters/keystore.ts'
import { type KeySources, loadPrivateKey } from './loadPrivateKey.ts'

const privateKey = `0x${'17'.repeat(32)}` as const
const none: KeySources = {
  privateKey: undefined,
  password: undefined,
  keystore: undefined,
  passwordFile: undefined,
  ask: null,
}
let keystore: string
let passwordFile: string
useFolder(beforeAll, afterAll)
beforeAll(async () => {
  keystore = join(folder, 'keystore.json')
  passwordFile = join(folder, 'password')
  writeFileSync(keystore, await sealKeystore(privateKey, ' pass word', { n: 1_024, r: 8, p: 1 }), { mode: 0o600 })
  writeFileSync(passwordFile, ' pass word\r\n', { mode: 0o600 })
})

describe('loadPrivateKey', () => {
  test('default: from the environment', async () => {
    expect(await loadPrivateKey({ ...none, privateKey: ` ${privateKey}\n` })).toEqual({
      privateKey,
      secrets: [],
    })
  })

  test('behavior: the password comes from the environment, a file, or the terminal', async () => {
    const opened = { privateKey, secrets: [' pass word'] }
    expect(await loadPrivateKey({ ...none, keystore, password: ' pass word' })).toEqual(opened)
    expect(await loadPrivateKey({ ...none, keystore, passwordFile })).toEqual(opened)
    expect(await loadPrivateKey({ ...none, keystore, ask: async () => ' pass word' })).toEqual(opened)
  })

  test.each<[string, Partial<KeySources>, RegExp]>([
    ['nothing', {}, /^No key is configured/],
    ['no hex', { privateKey: 'hunter2' }, /not a private key/],
    ['zero', { privateKey: `0x${'00'.repeat(32)}` }, /not a private key/],
    ['beyond the curve', { privateKey: `0x${'ff'.repeat(32)}` }, /not a private key/],
    ['two keys', { privateKey, keystore: '/nowhere/keystore.json' }, /^Both .*keystore\.json are set/],
    ['a keystore that is not there', { keystore: '/nowhere/keystore.json' }, /does not exist/],
  ])('error: %s', async (_what, sources, expected) => {
    const failure = (await loadPrivateKey({ ...none, ...sources }).catch((error: unknown) => error)) as Error
    expect(failure).toMatchObject({ code: 'BAD_CONFIGURATION', message: expect.stringMatching(expected) })
    expect(failure.message).not.toMatch(/hunter2|0{64}|f{64}|(?:17){32}/)
  })

  test('error: no password, and an empty file', async () => {
    await expect(loadPrivateKey({ ...none, keystore })).rejects.toThrow(/there is no terminal/)
    const empty = join(folder, 'empty')
    writeFileSync(empty, '\nsecond line', { mode: 0o600 })
    await expect(loadPrivateKey({ ...none, keystore, passwordFile: empty })).rejects.toThrow(/is empty/)
  })
})
