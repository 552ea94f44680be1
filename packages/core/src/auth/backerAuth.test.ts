import { describe, expect, test } from '@jest/globals'
import { account, vectorDomain } from '../../test/quoteArbitrary.ts'
import { formatChallenge, hashBackerAuth, parseChallenge } from './backerAuth.ts'

const audience = 'wss://rfq.example.com/ws/rfq'
const nonce = `0x${'11'.repeat(32)}` as const

describe('hashBackerAuth', () => {
  test("default: the protocol's test vector", () => {
    expect(
      hashBackerAuth({ ...vectorDomain, backer: account.address, audience, nonce, timestamp: 1_767_225_600 }),
    ).toBe('0xb6771b86a09f5e9bdd2acd1fb9e0f9332de563b760daf39b498a6d63099498ca')
  })
})

describe('parseChallenge', () => {
  test.each([audience, 'ws://localhost:3005/ws/rfq', 'ws://127.0.0.1/ws/rfq', 'ws://[::1]:80/ws/rfq'])(
    'default: %s',
    (url) => {
      expect(parseChallenge(formatChallenge({ audience: url, nonce }))).toEqual({ audience: url, nonce })
    },
  )

  test.each([
    '',
    'hello',
    `firmquote-auth|2|${audience}|${'11'.repeat(32)}`,
    `firmquote-auth|1|${audience}|${'11'.repeat(31)}`,
    `firmquote-auth|1|${audience}|${'AA'.repeat(32)}`,
    `firmquote-auth|1|https://rfq.example.com/ws/rfq|${'11'.repeat(32)}`,
    `firmquote-auth|1|wss://rfq.example.com/other|${'11'.repeat(32)}`,
    `firmquote-auth|1|wss://user@rfq.example.com/ws/rfq|${'11'.repeat(32)}`,
    `firmquote-auth|1|${audience}|${'11'.repeat(32)}\n`,
    ` firmquote-auth|1|${audience}|${'11'.repeat(32)}`,
  ])('error: not a challenge: %j', (challenge) => {
    expect(parseChallenge(challenge)).toBeNull()
  })
})
