import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { anyQuote, vectorQuote } from '../../test/quoteArbitrary.ts'
import { maxUint256 } from '../values/uint256.ts'
import { deserializeQuote, deserializeSignedQuote, quoteFields, serializeQuote, serializeSignedQuote } from './quote.ts'
import { quoteTypes } from './typedData.ts'

describe('serializeQuote', () => {
  test('default', () => {
    fc.assert(
      fc.property(anyQuote, (quote) => {
        expect(deserializeQuote(JSON.parse(JSON.stringify(serializeQuote(quote))))).toEqual(quote)
      }),
    )
  })

  test('behavior: integers become strings, and only the nine fields remain', () => {
    const serialized = serializeQuote({ ...vectorQuote, extra: 1 } as never)
    expect(Object.keys(serialized)).toEqual([...quoteFields])
    expect(Object.values(serialized).every((value) => typeof value === 'string')).toBe(true)
  })

  test('behavior: the fields are those of the EIP-712 type, in its order', () => {
    expect(quoteTypes.Quote.map(({ name }) => name)).toEqual([...quoteFields])
  })

  test('behavior: keeps the signature', () => {
    const signed = { ...vectorQuote, signature: '0x1234' } as const
    expect(deserializeSignedQuote(serializeSignedQuote(signed))).toEqual(signed)
  })

  test('behavior: rejects exactly what deserializeQuote rejects', () => {
    const fields = fc.constantFrom(...(['notional', 'vrtAmount', 'nonce', 'deadline'] as const))
    const edge = fc.constantFrom(-(2n ** 255n), -1n, 0n, maxUint256 - 1n, maxUint256, maxUint256 + 1n)
    const values = fc.oneof(
      edge,
      fc.bigInt(-(2n ** 257n), 2n ** 257n),
      fc.constantFrom(5, 1.5, '5', '', null, undefined),
    )
    const reached = { kept: 0, refused: 0 }
    fc.assert(
      fc.property(anyQuote, fields, values, (quote, field, value) => {
        const other = { ...quote, [field]: value } as never
        const path = expect.objectContaining({ code: 'INVALID_INPUT', path: field })
        if (typeof value === 'bigint' && value >= 0n && value <= maxUint256) {
          expect(deserializeQuote(serializeQuote(other))).toEqual(other)
          reached.kept += 1
        } else {
          expect(() => serializeQuote(other)).toThrow(path)
          expect(() => serializeSignedQuote(other)).toThrow(path)
          const text = { ...serializeQuote(quote), [field]: typeof value === 'bigint' ? `${value}` : value }
          if (value !== '5') expect(() => deserializeQuote(text as never)).toThrow(path)
          reached.refused += 1
        }
      }),
      { numRuns: 300 },
    )
    expect(Math.min(reached.kept, reached.refused)).toBeGreaterThan(10)
  })

  test('error: a number is told as the bigint to write', () => {
    expect(() => serializeQuote({ ...vectorQuote, notional: 250_000_000_000 } as never)).toThrow(
      'notional: is a number but must be a bigint: 250000000000n.',
    )
  })

  test.each(['notional', 'vrtAmount', 'nonce', 'deadline'] as const)('error: %s names its path', (path) => {
    expect(() => deserializeQuote({ ...serializeQuote(vectorQuote), [path]: '0x10' })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path }),
    )
  })
})
