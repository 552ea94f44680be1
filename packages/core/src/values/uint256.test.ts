import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { maxUint256, parseUint256 } from './uint256.ts'

describe('parseUint256', () => {
  test('default', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: maxUint256 }), (value) => parseUint256(value.toString()) === value))
  })

  test.each([
    '',
    ' ',
    '0x10',
    '-1',
    '+1',
    '01',
    '1e3',
    '1.0',
    ' 1',
    '1 ',
    '1_000',
    '１',
    (maxUint256 + 1n).toString(),
    '9'.repeat(78),
    '9'.repeat(10_000),
  ])('error: refuses %j', (text) => {
    expect(parseUint256(text)).toBeNull()
  })

  test.each([1, 1n, null, undefined, {}, ['1']])('error: refuses what is not text: %p', (value) => {
    expect(parseUint256(value)).toBeNull()
  })
})
