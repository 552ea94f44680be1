import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { checksumAddress } from 'viem'
import * as z from 'zod/mini'
import { decode, type Shape } from './decode.ts'
import { address, bytes32, positiveUint256, rfqId, signature, uint256, unixSeconds } from './primitives.ts'
import { rfqRequestShape } from './quoteShapes.ts'
import { wireRegistry } from './wireRegistry.ts'

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hexOf)
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const
const near = fc.stringMatching(/^(?:0x)?[0-9a-fA-FxX,+\- ]{0,70}$/)

/** String shapes, with strings likely to match them. */
const texts: [string, Shape<unknown>, fc.Arbitrary<string>][] = [
  ['uint256', uint256, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String)],
  ['positiveUint256', positiveUint256, fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(String)],
  [
    'address',
    address,
    fc.oneof(
      hex(20),
      hex(20).map((text) => checksumAddress(text)),
    ),
  ],
  ['bytes32', bytes32, hex(32)],
  ['signature', signature, fc.uint8Array({ maxLength: 100 }).map(hexOf)],
  ['rfqId', rfqId, hex(16).map((text) => text.slice(2))],
]

const schemaOf = (shape: Shape<unknown>) => z.toJSONSchema(shape, { io: 'input', metadata: wireRegistry })

describe('wireRegistry', () => {
  test.each(texts)('behavior: what %s takes fits its pattern', (_name, shape, fitting) => {
    const { pattern, type, description } = schemaOf(shape)
    expect(type).toBe('string')
    expect(description).toMatch(/\.$/)
    const takes = new RegExp(String(pattern))
    fc.assert(fc.property(fitting, (text) => decode(shape, text).ok && takes.test(text)))
    fc.assert(fc.property(fc.oneof(near, fc.string()), (text) => !decode(shape, text).ok || takes.test(text)))
  })

  test('behavior: Unix seconds are a positive integer', () => {
    expect(schemaOf(unixSeconds)).toMatchObject({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  })

  test('behavior: requires exactly one of seriesKey and expiry', () => {
    expect(schemaOf(rfqRequestShape)).toMatchObject({
      oneOf: [{ required: ['seriesKey'] }, { required: ['expiry'] }],
      additionalProperties: false,
      required: ['poolId', 'notional'],
    })
  })
})
