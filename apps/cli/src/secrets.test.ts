import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { runCli } from '../test/runCli.ts'
import { createSecrets, withoutKeys } from './createSecrets.ts'
import { describeError, renderError } from './describeError.ts'
import { exitCodes } from './exitCodes.ts'
import { loadPrivateKey } from './loadPrivateKey.ts'
import { run } from './run.ts'

// The key of an anvil account, which has no funds on real chains.
const key = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const bare = key.slice(2)
const environment = {
  FIRMQUOTE_PRIVATE_KEY: key,
  FIRMQUOTE_URL: 'http://127.0.0.1:9',
  FIRMQUOTE_RPC_URL: 'http://127.0.0.1:9',
}

useFolder(beforeAll, afterAll)

function fileOf(text: string, mode = 0o600): string {
  const path = join(folder, `key-${Math.random()}`)
  writeFileSync(path, text, { mode })
  return path
}

const context = (given: Record<string, string> = {}) => {
  const secrets = createSecrets()
  return { environment: given, hide: secrets.hide, secrets }
}

describe('loadPrivateKey', () => {
  test('default: from a private file, else from the environment', async () => {
    const other = `0x${'1'.repeat(64)}`
    expect(await loadPrivateKey(context({ FIRMQUOTE_PRIVATE_KEY: key }), undefined)).toBe(key)
    expect(await loadPrivateKey(context({ FIRMQUOTE_PRIVATE_KEY: key }), fileOf(`${other}\n`))).toBe(other)
    expect(await loadPrivateKey(context(), fileOf(key, 0o400))).toBe(key)
  })

  test.each([
    ['open to others', () => fileOf(key, 0o644), 'accessible to other users (mode 644); run chmod 600'],
    ['open to a group', () => fileOf(key, 0o640), 'accessible to other users (mode 640)'],
    ['a folder', () => folder, 'not a regular file'],
    ['a pipe', () => pipe(), 'not a regular file'],
    ['a link to an open file', () => link(fileOf(key, 0o604)), 'accessible to other users'],
    ['not there', () => join(folder, 'none'), 'cannot be opened (ENOENT)'],
    ['empty', () => fileOf('\n'), 'is empty'],
    ['not a key', () => fileOf(`${key}00`), 'does not contain a private key'],
    ['too large', () => fileOf(key.repeat(50)), 'too large'],
  ])('error: a file that is %s', async (_what, path, sentence) => {
    const error = await loadPrivateKey(context(), path()).catch((failure: Error) => failure)
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining(sentence) })
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(bare)
  })

  test('error: a missing or invalid key in the environment', async () => {
    await expect(loadPrivateKey(context(), undefined)).rejects.toThrow('A private key is required')
    await expect(loadPrivateKey(context({ FIRMQUOTE_PRIVATE_KEY: bare }), undefined)).rejects.toThrow(
      'FIRMQUOTE_PRIVATE_KEY does not contain a private key (0x followed by 64 hex digits).',
    )
  })
})

function pipe(): string {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  return path
}

function link(target: string): string {
  const path = join(folder, 'link')
  symlinkSync(target, path)
  return path
}

describe('the key appears nowhere', () => {
  test('behavior: redacts a secret in any form', () => {
    const secrets = createSecrets()
    secrets.hide(key)
    expect(secrets.redact(`a ${key} b ${bare.toUpperCase()} c`)).toBe('a (hidden) b (hidden) c')
    secrets.hide('short')
    expect(secrets.redact('short')).toBe('short')
    expect(inspect(secrets, { depth: null, showHidden: true }) + JSON.stringify(secrets)).not.toContain(bare)
    expect(withoutKeys(`--key=${key}`)).toBe('--key=(hidden)')
  })

  test('behavior: an unexpected error shows its name and location, not its message', () => {
    const described = describeError(new TypeError(`bad ${key}`))
    expect(described).toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(/^Unexpected error: TypeError, at /),
    })
    expect(renderError(described)).not.toContain(bare)
  })

  const commands: [string, string[], string?][] = [
    ['sign, of a quote that does not fit', ['sign'], '{"notional": 1}'],
    ['sign, with the key in place of the quote', ['sign'], key],
    ['sign, with the key as the file', ['sign', key]],
    ['cancel', ['cancel', `0x${'1'.repeat(64)}`]],
    ['cancel, with the key as the hash', ['cancel', bare]],
    [
      'rfq',
      ['rfq', '--pool', `0x${'1'.repeat(64)}`, '--expiry', '2027-03-01', '--notional', '1', '--take', '--max-apr', '8'],
    ],
    ['an option that there is not', ['pools', `--private-key=${key}`]],
    ['a command that there is not', [key]],
    ['too many arguments', ['pools', key]],
    ['the key as the key file', ['sign', '--key-file', key]],
    ['the key as the daemon method', ['daemon', key]],
    ['the key as its parameters', ['daemon', 'setPolicy', key]],
  ]
  test.each(commands)('error: %s', async (_what, args, input = '') => {
    for (const more of [[], ['--json']]) {
      const { code, out, err } = await runCli([...args, ...more], { environment, input })
      expect(code).not.toBe(0)
      expect((out + err).toLowerCase()).not.toContain(bare)
      expect(err).not.toBe('')
    }
  })

  test('behavior: a signed quote is printed without the key that signed it', async () => {
    const output: string[] = []
    const terms = {
      poolId: `0x${'2'.repeat(64)}`,
      seriesKey: `0x${'3'.repeat(64)}`,
      notional: '1',
      vrtAmount: '0',
      nonce: '0',
      deadline: '2000000000',
    }
    const code = await run({
      args: ['sign', '--json'],
      environment,
      version: '0.0.0',
      signal: new AbortController().signal,
      writeOutput: (text) => output.push(text),
      writeError: (text) => output.push(text),
      standardInput: async () => JSON.stringify(terms),
      live: null,
    })
    expect(code).toBe(exitCodes.ok)
    expect(JSON.parse(output.join(''))).toMatchObject({
      ...terms,
      maker: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      salt: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    })
    expect(output.join('')).not.toContain(bare)
  })
})
