import { describe, expect, test } from '@jest/globals'
import { openKeystore, sealKeystore } from './keystore.ts'

// Test vectors from the Web3 Secret Storage Definition. Both keystores contain the same key, encrypted with the same
// password.
const password = 'testpassword'
const secret = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const vectors = {
  pbkdf2: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  scrypt: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
}
const quick = { n: 1_024, r: 8, p: 1 }

describe('a keystore', () => {
  test.each(['pbkdf2', 'scrypt'] as const)('default: the published %s vector opens', async (kdf) => {
    const content = JSON.stringify({ crypto: vectors[kdf], id: '3198bc9c-6672-5ab3-d995-4942343ae5b6', version: 3 })
    expect(await openKeystore(content, password, 'vector.json')).toBe(secret)
  })

  test('behavior: decrypts what it encrypted, with any password', async () => {
    for (const typed of ['x', 'pass word', 'Größe 🔑']) {
      const content = await sealKeystore(secret, typed, quick)
      expect(JSON.parse(content)).toMatchObject({ version: 3, address: '008aeeda4d805471df9b2a5b0f38a0c3bcba786b' })
      expect(content).not.toContain(secret.slice(2))
      expect(await openKeystore(content, typed, 'own.json')).toBe(secret)
    }
  })

  test('error: another password', async () => {
    const content = await sealKeystore(secret, password, quick)
    const failure = await openKeystore(content, 'hunter2', 'own.json').catch((error: Error) => error)
    expect(failure).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining('own.json') })
    expect(String(failure)).not.toContain('hunter2')
  })

  test.each([
    ['nothing', ''],
    ['a bare key', secret],
    ['another version', JSON.stringify({ version: 1, crypto: vectors.pbkdf2 })],
    ['another cipher', JSON.stringify({ version: 3, crypto: { ...vectors.pbkdf2, cipher: 'aes-256-gcm' } })],
    [
      'a file that would take a day to open',
      JSON.stringify({
        version: 3,
        crypto: { ...vectors.scrypt, kdfparams: { ...vectors.scrypt.kdfparams, n: 2 ** 40 } },
      }),
    ],
  ])('error: %s is no keystore, and is not repeated', async (_what, content) => {
    const failure = await openKeystore(content, password, 'own.json').catch((error: Error) => error)
    expect(failure).toMatchObject({ name: 'ConfigurationError', message: expect.stringMatching(/^own.json is not a/) })
    expect(String((failure as Error).stack)).not.toContain(secret.slice(2))
  })

  test('error: a key that does not match the address', async () => {
    const content = JSON.parse(await sealKeystore(secret, password, quick))
    const other = JSON.stringify({ ...content, address: '00'.repeat(20) })
    await expect(openKeystore(other, password, 'own.json')).rejects.toThrow('corrupt')
  })
})
