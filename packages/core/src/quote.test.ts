import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { deserializeQuote, deserializeSignedQuote, quoteFields, serializeQuote, serializeSignedQuote } from './quote.ts'
import { anyQuote, vectorQuote } from './testing/quoteArbitrary.ts'
import { quoteTypes } from './typedData.ts'

describe('serializeQuote', () => {
  test('default', () => {
    fc.assert(
      fc.property(anyQuote, (quote) => {
        expect(deserializeQuote(JSON.parse(JSON.stringify(serializeQuote(quote))))).toEqual(quote)
      }),
    )
  })

  test('behavior: every integer is a string, and nothing but the nine fields is there', () => {
    const serialized = serializeQuote({ ...vectorQuote, extra: 1 } as never)
    expect(Object.keys(serialized)).toEqual([...quoteFields])
    expect(Object.values(serialized).every((value) => typeof value === 'string')).toBe(true)
  })

  test('behavior: the fields are those of the EIP-712 type, in its order', () => {
    expect(quoteTypes.Quote.map(({ name }) => name)).toEqual([...quoteFields])
  })

  test('behavior: a signature is kept', () => {
    const signed = { ...vectorQuote, signature: '0x1234' } as const
    expect(deserializeSignedQuote(serializeSignedQuote(signed))).toEqual(signed)
  })

  test.each(['notional', 'vrtAmount', 'nonce', 'deadline'] as const)('error: %s names its path', (path) => {
    expect(() => deserializeQuote({ ...serializeQuote(vectorQuote), [path]: '0x10' })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path }),
    )
  })
})
