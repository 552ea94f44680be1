import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { account, anyAddress, anyQuote, vectorDomain, vectorQuote } from '../../test/quoteArbitrary.ts'
import { hashQuote } from './hashQuote.ts'
import { quoteTypedData } from './typedData.ts'

describe('hashQuote', () => {
  test("default: the protocol's test vector", async () => {
    expect(hashQuote(vectorQuote, vectorDomain)).toBe(
      '0x73903559dfe47474b98f54fd7dbde1d3711fd01900a1fcb1672188c16144fab4',
    )
    expect(await account.signTypedData(quoteTypedData(vectorQuote, vectorDomain))).toBe(
      '0x9a97d55626da9a18f6e0550cd125df57c8417b004c13a8def93202c0737186d73dbe152afb172ac2afad6c504352a0e7e5cda384f633a46f1deaea1923efaebd1b',
    )
  })

  test("behavior: equals viem's general encoder for any quote and market", () => {
    fc.assert(
      fc.property(anyQuote, anyAddress, fc.integer({ min: 1, max: 2 ** 31 }), (quote, quoteMarket, chainId) => {
        const domain = { chainId, quoteMarket }
        expect(hashQuote(quote, domain)).toBe(hashTypedData(quoteTypedData(quote, domain)))
      }),
    )
  })

  test.each([
    ['maker', '0x12'],
    ['taker', `0x${'00'.repeat(21)}`],
    ['poolId', `0x${'22'.repeat(31)}`],
    ['salt', `0x${'22'.repeat(33)}`],
    ['seriesKey', '22'.repeat(33)],
    ['maker', `0x${'0'.repeat(39)}g`],
    ['notional', -1n],
    ['vrtAmount', 2n ** 256n],
    ['nonce', 1],
    ['deadline', '1'],
  ])('error: a %s of the wrong width would shift its neighbours', (path, value) => {
    expect(() => hashQuote({ ...vectorQuote, [path]: value } as never, vectorDomain)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path }),
    )
  })

  test('behavior: alternating markets keep their own digests', () => {
    const here = hashQuote(vectorQuote, vectorDomain)
    for (const other of [
      { ...vectorDomain, chainId: 1 },
      { ...vectorDomain, quoteMarket: account.address },
    ]) {
      expect(hashQuote(vectorQuote, other)).toBe(hashTypedData(quoteTypedData(vectorQuote, other)))
      expect(hashQuote(vectorQuote, vectorDomain)).toBe(here)
    }
  })

  test.each([
    ['a chain id below zero', 'chainId', -1, 'must be a bigint from 0 to 2^256 - 1.'],
    ['a chain id with a fraction', 'chainId', 1.5, 'must be an integer.'],
    ['a chain id as text', 'chainId', '8453', 'must be an integer.'],
    ['a short market', 'quoteMarket', '0x11', 'must be 20 bytes of hex.'],
    ['a market that is no hex', 'quoteMarket', `0x${'g'.repeat(40)}`, 'must be 20 bytes of hex.'],
  ])('error: %s is named, and the market before still works', (_name, path, value, message) => {
    const here = hashQuote(vectorQuote, vectorDomain)
    expect(() => hashQuote(vectorQuote, { ...vectorDomain, [path]: value } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path, shortMessage: `${path}: ${message}` }),
    )
    expect(hashQuote(vectorQuote, vectorDomain)).toBe(here)
  })

  test('error: what is no quote is named', () => {
    expect(() => hashQuote(null as never, vectorDomain)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path: 'quote' }),
    )
  })
})
