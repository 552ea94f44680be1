import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { anyQuote, sign, vectorQuote } from '../../test/quoteArbitrary.ts'
import { serializeSignedQuote } from '../quote/quote.ts'
import { encodeJson } from '../values/encodeJson.ts'
import { decode, decodeOrThrow } from './decode.ts'
import { rfqRequestShape, signedQuoteShape } from './quoteShapes.ts'

const signed = await sign(vectorQuote)
const wire = serializeSignedQuote(signed)
const paths = (input: unknown) => {
  const decoded = decode(signedQuoteShape, input)
  return decoded.ok ? [] : decoded.issues.map(({ path }) => path)
}

describe('signedQuoteShape', () => {
  test('default: decode(encode(x)) = x', () => {
    fc.assert(
      fc.property(anyQuote, (quote) => {
        const value = { ...quote, signature: signed.signature }
        expect(decode(signedQuoteShape, JSON.parse(encodeJson(value)))).toEqual({ ok: true, value })
        expect(JSON.parse(encodeJson(value))).toEqual(serializeSignedQuote(value))
      }),
    )
  })

  test('behavior: normalizes hex', () => {
    const value = decodeOrThrow(
      signedQuoteShape,
      { ...wire, maker: wire.maker.toLowerCase(), salt: `0x${'AB'.repeat(32)}` },
      'quote',
    )
    expect(value.maker).toBe(wire.maker)
    expect(value.salt).toBe(`0x${'ab'.repeat(32)}`)
  })

  test.each([
    ['maker', '0x12'],
    ['maker', `0x${'00'.repeat(21)}`],
    ['maker', '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['maker', 5],
    ['poolId', `0x${'22'.repeat(31)}`],
    ['poolId', `0x${'2,'.repeat(32)}`],
    ['poolId', `0X${'22'.repeat(32)}`],
    ['seriesKey', null],
    ['notional', 1000],
    ['notional', '0'],
    ['notional', '1e6'],
    ['vrtAmount', '-1'],
    ['vrtAmount', ''],
    ['nonce', '0x10'],
    ['deadline', (2n ** 256n).toString()],
    ['salt', undefined],
    ['signature', '0x123'],
    ['signature', 'deadbeef'],
    ['extra', 1],
  ])('error: %s of %j is named by its path', (path, value) => {
    expect(paths({ ...wire, [path]: value })).toEqual([path])
  })

  test('error: every mistake at once', () => {
    expect(paths({ ...wire, notional: 1, nonce: 'x', more: true }).sort()).toEqual(['more', 'nonce', 'notional'])
  })

  test.each([null, 1, 'x', [], [wire]])('error: not an object at all: %j', (input) => {
    expect(paths(input)).toEqual([''])
  })

  test('error: keys of the prototype are keys like others', () => {
    expect(paths(JSON.parse(`{"__proto__": {"maker": "${wire.maker}"}, ${encodeJson(wire).slice(1)}`))).toEqual([
      '__proto__',
    ])
    expect(paths({ ...wire, constructor: 1 })).toEqual(['constructor'])
  })

  test('error: text for people names what is expected', () => {
    expect(() => decodeOrThrow(signedQuoteShape, { ...wire, notional: 5 }, 'The quote')).toThrow(
      'notional: The quote is malformed: notional must be a string.',
    )
  })
})

describe('rfqRequestShape', () => {
  const { poolId, seriesKey } = wire

  test('default', () => {
    expect(decode(rfqRequestShape, { poolId, expiry: 1_800_000_000, notional: '5' })).toEqual({
      ok: true,
      value: { poolId, expiry: 1_800_000_000, notional: 5n },
    })
    expect(decode(rfqRequestShape, { poolId, seriesKey, notional: '5', maxVrtAmount: '0' })).toEqual({
      ok: true,
      value: { poolId, seriesKey, notional: 5n, maxVrtAmount: 0n },
    })
  })

  test.each([
    [{ poolId, notional: '5' }, 'seriesKey'],
    [{ poolId, seriesKey, expiry: 1_800_000_000, notional: '5' }, 'seriesKey'],
    [{ poolId, expiry: '1800000000', notional: '5' }, 'expiry'],
    [{ poolId, expiry: 1.5, notional: '5' }, 'expiry'],
    [{ poolId, expiry: 1e300, notional: '5' }, 'expiry'],
    [{ poolId, seriesKey, notional: '0' }, 'notional'],
    [{ poolId, seriesKey }, 'notional'],
    [{ poolId, seriesKey, notional: '5', deadline: 1 }, 'deadline'],
  ])('error: %j', (input, path) => {
    const decoded = decode(rfqRequestShape, input)
    expect(decoded.ok ? [] : decoded.issues.map((issue) => issue.path)).toEqual([path])
  })
})
