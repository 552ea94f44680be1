import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { privateKeyToAddress } from 'viem/accounts'
import { openKeystore } from '../adapters/keystore.ts'
import { exampleConfiguration } from './exampleConfiguration.ts'
import { init } from './init.ts'

const scrypt = { n: 1_024, r: 8, p: 1 }
const loadPassword = async () => 'long enough'
useFolder(beforeEach, afterEach)

describe('init', () => {
  test('default: writes a private example and a new key, and creates the folder', async () => {
    const inner = join(folder, 'maker')
    const { address, configuration, keystore } = await init({ folder: inner, loadPassword, scrypt })
    expect(readFileSync(configuration, 'utf8')).toBe(exampleConfiguration)
    for (const file of [configuration, keystore]) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(inner).mode & 0o777).toBe(0o700)
    const key = await openKeystore(readFileSync(keystore, 'utf8'), 'long enough', keystore)
    expect(privateKeyToAddress(key)).toBe(address)
    const other = await init({ folder, loadPassword, scrypt })
    expect(other.address).not.toBe(address)
  })

  test.each(['firmquote-daemon.yaml', 'keystore.json'])(
    'error: %s is there; no password is asked for',
    async (file) => {
      writeFileSync(join(folder, file), 'mine')
      const ask = () => Promise.reject(new TypeError('asked'))
      await expect(init({ folder, loadPassword: ask, scrypt })).rejects.toThrow(`${file} already exists`)
      expect(readdirSync(folder)).toEqual([file])
      expect(readFileSync(join(folder, file), 'utf8')).toBe('mine')
    },
  )

  test('error: a short password', async () => {
    await expect(init({ folder, loadPassword: async () => 'short', scrypt })).rejects.toThrow('8 characters')
    expect(readdirSync(folder)).toEqual([])
  })
})
