import { describe, expect, test } from '@jest/globals'
import { checkedPositiveUint256, checkedUint256 } from './checkedUint256.ts'
import { maxUint256 } from './uint256.ts'

describe('checkedUint256', () => {
  test.each([0n, 1n, maxUint256])('default: %s', (value) => {
    expect(checkedUint256(value, 'notional')).toBe(value)
  })

  test.each([
    [250_000_000_000, 'is a number but must be a bigint: 250000000000n.'],
    ['250000000000', 'is a string but must be a bigint: 250000000000n.'],
    [0, 'is a number but must be a bigint: 0n.'],
    [1.5, "is a number but must be a bigint in raw units: parsePrincipal('1.5', decimals)."],
    ['250,000.5', "is a string but must be a bigint in raw units: parsePrincipal('250,000.5', decimals)."],
    [2 ** 53, 'is a number but must be a bigint, such as 250000000000n.'],
    [-1, 'is a number but must be a bigint, such as 250000000000n.'],
    [Number.NaN, 'is a number but must be a bigint, such as 250000000000n.'],
    ['250k', 'is a string but must be a bigint, such as 250000000000n.'],
    ['', 'is a string but must be a bigint, such as 250000000000n.'],
    [undefined, 'is missing. Pass a bigint, such as 250000000000n.'],
    [null, 'must be a bigint, such as 250000000000n.'],
    [{}, 'must be a bigint, such as 250000000000n.'],
    [-1n, 'must be a bigint from 0 to 2^256 - 1.'],
    [maxUint256 + 1n, 'must be a bigint from 0 to 2^256 - 1.'],
  ])('error: %p', (value, words) => {
    expect(() => checkedUint256(value, 'notional')).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path: 'notional', shortMessage: `notional: ${words}` }),
    )
  })

  test('behavior: does not show long text, which may be a key', () => {
    for (const key of ['7'.repeat(77), `0x${'ab'.repeat(32)}`, `1.${'7'.repeat(60)}`]) {
      expect(() => checkedUint256(key, 'notional')).toThrow(expect.objectContaining({ path: 'notional' }))
      expect(() => checkedUint256(key, 'notional')).not.toThrow(key)
    }
  })
})

test('checkedPositiveUint256: rejects zero and accepts one', () => {
  expect(checkedPositiveUint256(1n, 'notional')).toBe(1n)
  expect(() => checkedPositiveUint256(0n, 'notional')).toThrow('notional: must be positive.')
  expect(() => checkedPositiveUint256(5, 'notional')).toThrow('must be a bigint: 5n.')
})
