import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { BaseError, ChainUnavailableError, InvalidInputError } from './errors.ts'
import { version } from './version.ts'

const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

describe('BaseError', () => {
  test('default: composes the message from its parts', () => {
    const error = new BaseError('SOME_CODE', 'Something is wrong.', {
      metaMessages: ['notional: -5n', 'decimals: 6'],
      details: 'It must be above zero.',
      docsPath: '@firmquote/core/ERRORS.md#errors',
    })
    expect(error.message).toBe(
      [
        'Something is wrong.',
        '',
        'notional: -5n',
        'decimals: 6',
        '',
        `Docs: https://app.unpkg.com/@firmquote/core@${version}/files/ERRORS.md#errors`,
        'Details: It must be above zero.',
        `Version: @firmquote/core@${version}`,
      ].join('\n'),
    )
    expect(error).toMatchObject({
      name: 'BaseError',
      code: 'SOME_CODE',
      shortMessage: 'Something is wrong.',
      metaMessages: ['notional: -5n', 'decimals: 6'],
      details: 'It must be above zero.',
      docsPath: '@firmquote/core/ERRORS.md#errors',
      version: `@firmquote/core@${version}`,
    })
  })

  test('behavior: the docs and the version are those of the package that threw', () => {
    const error = new BaseError('SOME_CODE', 'Something is wrong.', {
      docsPath: '@firmquote/sdk/ERRORS.md#streamerror',
    })
    expect(error.version).toBe(`@firmquote/sdk@${version}`)
    expect(error.message.split('\n').slice(2)).toEqual([
      `Docs: https://app.unpkg.com/@firmquote/sdk@${version}/files/ERRORS.md#streamerror`,
      `Version: @firmquote/sdk@${version}`,
    ])
  })

  test('behavior: without options, only the version follows', () => {
    const error = new BaseError('SOME_CODE', 'Something is wrong.')
    expect(error.message).toBe(`Something is wrong.\n\nVersion: @firmquote/core@${version}`)
    expect(error).toMatchObject({ metaMessages: [], details: undefined, docsPath: undefined })
    expect('cause' in error).toBe(false)
  })

  test("behavior: a cause's message is not repeated", () => {
    const cause = new Error('fetch https://user:pass@node.example failed')
    const error = new ChainUnavailableError('The chain could not be read.', { cause })
    expect(error.cause).toBe(cause)
    expect(error.message).not.toContain('pass')
  })

  test('behavior: the version is that of package.json', () => {
    expect(JSON.parse(text('package.json')).version).toBe(version)
  })

  test('behavior: every docsPath is a heading in a published document', () => {
    const { files } = JSON.parse(text('package.json'))
    for (const error of [new InvalidInputError('is wrong.'), new ChainUnavailableError('It is.')]) {
      const [, file = '', anchor] = /^@firmquote\/core\/([^#]+)#(.+)$/.exec(error.docsPath ?? '') ?? []
      expect(files).toContain(file)
      expect([...text(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) => title?.toLowerCase())).toContain(anchor)
    }
  })
})

describe('walk', () => {
  const root = new TypeError('root')
  const middle = new BaseError('MIDDLE', 'Middle.', { cause: root })
  const top = new BaseError('TOP', 'Top.', { cause: middle })

  test('default: the last cause', () => {
    expect(top.walk()).toBe(root)
    expect(new BaseError('ALONE', 'Alone.').walk()).toMatchObject({ code: 'ALONE' })
    expect(new BaseError('TOP', 'Top.', { cause: 'a reason' }).walk()).toBe('a reason')
  })

  test('behavior: the first match, including itself', () => {
    expect(top.walk((error) => error instanceof BaseError)).toBe(top)
    expect(top.walk((error) => error !== top)).toBe(middle)
    expect(top.walk((error): error is TypeError => error instanceof TypeError)?.message).toBe('root')
    expect(top.walk(() => false)).toBeNull()
  })

  test('behavior: terminates on a cyclic chain of causes', () => {
    const first = new Error('first')
    const second = new Error('second', { cause: first })
    first.cause = second
    const error = new BaseError('TOP', 'Top.', { cause: first })
    expect(error.walk()).toBe(second)
    expect(error.walk(() => false)).toBeNull()
  })
})

describe('InvalidInputError', () => {
  test('default: names the argument and shows the invalid amount', () => {
    const error = new InvalidInputError('must be above zero.', { path: 'quote.notional', given: -5n })
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      path: 'quote.notional',
      shortMessage: 'quote.notional: must be above zero.',
      metaMessages: ['quote.notional: -5n'],
    })
  })

  test.each<[unknown, string]>([
    [-5, '-5'],
    [Number.NaN, 'NaN'],
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [2n ** 128n - 1n, '340282366920938463463374607431768211455n'],
    [1n - 2n ** 128n, '-340282366920938463463374607431768211455n'],
    ['-1,234.5', "'-1,234.5'"],
    ['1e18', "'1e18'"],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', "'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'"],
    ['', 'an empty string'],
    ['12 USDC', 'a string of 7 characters'],
    [{}, 'an object'],
    [[1], 'an object'],
    [() => 1, 'a function'],
    [Symbol('s'), 'a symbol'],
    [2n ** 255n, 'a bigint of 256 bits'],
    [-(2n ** 300n), 'a bigint of 301 bits'],
  ])('behavior: shows %p', (given, shown) => {
    expect(new InvalidInputError('is wrong.', { given }).metaMessages).toEqual([`given: ${shown}`])
  })

  const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
  const revoked = Proxy.revocable([], {})
  revoked.revoke()
  test.each<[string, unknown]>([
    ['a key', `0x${key}`],
    ['a key without 0x', key],
    ['a key that is cut off', `0x${key.slice(0, 50)}`],
    ['a key as an integer', BigInt(`0x${key}`)],
    ['a key as decimal text', BigInt(`0x${key}`).toString()],
    ['a signature', `0x${key}${key}1b`],
    ['a URL with credentials', 'https://user:pass@node.example'],
    ['a URL with a token', 'https://node.example/v3/4f2ff80ac0974bec39a17e36ba4a6b4d'],
    ['a mnemonic', 'test test test test test test test test test test test junk'],
    ['an object that holds one', { key, toString: () => key, toJSON: () => key, [inspect.custom]: () => key }],
    ['an array that holds one', [key]],
    ['bytes', Buffer.from(key, 'hex')],
    ['a symbol', Symbol(key)],
    ['a proxy that throws', revoked.proxy],
  ])('error: %s is not shown', (_what, given) => {
    const error = new InvalidInputError('is wrong.', { path: 'notional', given })
    const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error) + error.message
    expect(shown).toContain('is wrong.')
    for (const secret of [key.slice(0, 12), String(BigInt(`0x${key}`)).slice(0, 12), 'pass', '4f2ff80ac', 'junk']) {
      expect(shown).not.toContain(secret)
    }
  })
})
