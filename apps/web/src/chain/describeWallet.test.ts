import { expect, test } from '@jest/globals'
import { describeWallet } from './describeWallet.ts'

test('default', () => {
  const icon = 'data:image/svg+xml,%3Csvg/%3E'
  expect(describeWallet({ name: 'Good Wallet', icon })).toEqual({ name: 'Good Wallet', icon })
})

test.each(['javascript:alert(1)', 'https://example.org/icon.png', '/api/v1/health', 'data:text/html,x', undefined])(
  'error: %s is no icon',
  (icon) => {
    expect(describeWallet({ name: 'W', icon }).icon).toBeNull()
  },
)

test('error: a name is one short line', () => {
  expect(describeWallet({ name: 'Good\u202e\n\u0000 Wallet\u200b' }).name).toBe('Good Wallet')
  expect(describeWallet({ name: 'x'.repeat(10_000) }).name).toBe(`${'x'.repeat(40)}…`)
  expect(describeWallet({ name: ' \u200b ' }).name).toBe('')
})
