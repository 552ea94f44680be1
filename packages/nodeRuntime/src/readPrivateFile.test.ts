import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { ConfigurationError } from './configurationError.ts'
import { readPrivateFile } from './readPrivateFile.ts'

let file: string
useFolder(beforeEach, afterEach)
beforeEach(() => {
  file = join(folder, 'keystore.json')
  writeFileSync(file, 'secret\n', { mode: 0o600 })
})

const failureOf = async (path = file) => {
  const error = await readPrivateFile(path, 'keystore').then(
    () => null,
    (cause: unknown) => cause,
  )
  if (!(error instanceof ConfigurationError)) throw new TypeError('It was read.')
  return error.shortMessage
}

describe('readPrivateFile', () => {
  test('default: the text of a private file', async () => {
    expect(await readPrivateFile(file, 'keystore')).toBe('secret\n')
    for (const mode of [0o400, 0o440, 0o700]) {
      chmodSync(file, mode)
      expect(await readPrivateFile(file, 'keystore')).toBe('secret\n')
    }
  })

  test.each([0o604, 0o620, 0o602, 0o601, 0o444])('error: mode %o', async (mode) => {
    chmodSync(file, mode)
    expect(await failureOf()).toBe(
      `The keystore ${file} is accessible to other users (mode ${mode.toString(8)}); run \`chmod 600 ${file}\`.`,
    )
  })

  test('error: a folder, a missing file and a file that is too large', async () => {
    mkdirSync(join(folder, 'one'))
    expect(await failureOf(join(folder, 'one'))).toBe(`The keystore ${join(folder, 'one')} is not a regular file.`)
    expect(await failureOf(join(folder, 'none'))).toBe(`The keystore ${join(folder, 'none')} does not exist.`)
    writeFileSync(file, Buffer.alloc(65_536, 'a'))
    expect(await readPrivateFile(file, 'keystore')).toHaveLength(65_536)
    writeFileSync(file, Buffer.alloc(65_537, 'a'))
    expect(await failureOf()).toBe(`The keystore ${file} is too large (65537 bytes).`)
  })
})
