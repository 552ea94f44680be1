import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { parseIdempotencyKey } from './idempotencyKey.ts'

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const six = 'abcdef'

describe('parseIdempotencyKey', () => {
  test.each([
    ['hex', '9f86d081884c7d659a2feaa0c55ad015'],
    ['base64url', 'n4bQgYhMfWWaL-qgxVrQ_Q'],
    ['a UUID', '6ba7b810-9dad-41d1-80b4-00c04fd430c8'],
    ['the shortest', `${six}${'a'.repeat(16)}`],
    ['the longest', `${six}${'a'.repeat(122)}`],
  ])('default: %s', (_what, text) => {
    expect(parseIdempotencyKey(text)).toBe(text)
  })

  test.each([
    ['nothing', ''],
    ['one character too few', `${six}${'a'.repeat(15)}`],
    ['one character too many', `${six}${'a'.repeat(123)}`],
    ['five different characters', `abcde${'a'.repeat(17)}`],
    ['a character of base64 alone', 'n4bQgYhMfWWaL+qgxVrQ/Q'],
    ['padding', 'n4bQgYhMfWWaL-qgxVrQ_Q=='],
    ['a quoted text', '"9f86d081884c7d659a2feaa0c55ad015"'],
    ['a space', '9f86d081884c7d65 9a2feaa0c55ad015'],
    ['a line break at the end', '9f86d081884c7d659a2feaa0c55ad015\n'],
    ['a letter beyond ASCII', '9f86d081884c7d659a2feaa0c55ad01é'],
  ])('error: %s', (_what, text) => {
    expect(parseIdempotencyKey(text)).toBeNull()
  })

  test(`behavior: 16 random bytes always make a key (seed ${seed})`, () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 16, maxLength: 16 })
    fc.assert(
      fc.property(fc.noBias(bytes), (numbers) => {
        const key = bytesToHex(Uint8Array.from(numbers)).slice(2)
        expect(parseIdempotencyKey(key)).toBe(key)
      }),
      { seed, numRuns: 1_000 },
    )
  })
})
