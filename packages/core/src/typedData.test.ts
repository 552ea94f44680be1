import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { account, anyAddress, anyQuote, vectorDomain, vectorQuote } from './testing/quoteArbitrary.ts'
import { hashQuote, quoteTypedData } from './typedData.ts'

describe('hashQuote', () => {
  test('default: the vector of the protocol', async () => {
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
    ['notional', -1n],
    ['vrtAmount', 2n ** 256n],
    ['nonce', 1],
    ['deadline', '1'],
  ])('error: a %s of the wrong width would shift its neighbours', (path, value) => {
    expect(() => hashQuote({ ...vectorQuote, [path]: value } as never, vectorDomain)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path }),
    )
  })
})
