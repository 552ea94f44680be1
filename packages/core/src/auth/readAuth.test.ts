import { describe, expect, test } from '@jest/globals'
import { account, vectorDomain } from '../../test/quoteArbitrary.ts'
import { hashBackerAuth } from './backerAuth.ts'
import { formatReadAuthorization, hashReadAuth, isReadAuthCurrent, parseReadAuthorization } from './readAuth.ts'

const audience = 'wss://rfq.example.com/ws/rfq'
const nonce = `0x${'11'.repeat(32)}` as const
const auth = { ...vectorDomain, backer: account.address, audience, nonce, timestamp: 1_767_225_600 }
const authorization = {
  backer: account.address,
  timestamp: 1_767_225_600,
  nonce,
  signature: `0x${'22'.repeat(65)}`,
} as const

test('default: signed for a purpose other than a session', () => {
  expect(hashReadAuth(auth)).not.toBe(hashBackerAuth(auth))
  expect(hashReadAuth(auth)).toBe(hashReadAuth({ ...auth }))
})

describe('parseReadAuthorization', () => {
  test('default: what was formatted', () => {
    expect(parseReadAuthorization(formatReadAuthorization(authorization))).toEqual(authorization)
  })

  test('behavior: the scheme in any case', () => {
    const header = formatReadAuthorization(authorization)
    expect(parseReadAuthorization(header.replace('Backer', 'backer'))).toEqual(authorization)
  })

  const good = formatReadAuthorization(authorization)
  test.each([
    '',
    'Backer',
    'Bearer abc',
    good.replace('Backer ', 'Backer  '),
    good.replace('1767225600', '01767225600'),
    good.replace('1767225600', '1.5'),
    good.replace(nonce, '0x11'),
    good.replace(`0x${'22'.repeat(65)}`, '0x'),
    `${good}.`,
    `${good}\n`,
  ])('error: not an authorization: %j', (header) => {
    expect(parseReadAuthorization(header)).toBeNull()
  })
})

test.each([
  [-3_600, true],
  [-3_601, false],
  [60, true],
  [61, false],
])('isReadAuthCurrent: signed %i seconds from now: %s', (offset, expected) => {
  expect(isReadAuthCurrent(1_000_000 + offset, 1_000_000)).toBe(expected)
})
