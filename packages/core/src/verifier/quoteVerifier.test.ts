import { beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { account, anyAddress, anyQuote, sign, vectorDomain, vectorQuote } from '../../test/quoteArbitrary.ts'
import { signatureFaults } from '../../test/signatureFaults.ts'
import { hashQuote } from '../quote/hashQuote.ts'
import { recoverMaker } from '../quote/signature.ts'
import { quoteTypedData } from '../quote/typedData.ts'
import { createQuoteVerifier, type QuoteVerifier } from './quoteVerifier.ts'

let verifier: QuoteVerifier
beforeAll(async () => {
  verifier = await createQuoteVerifier(vectorDomain)
})

describe('hashQuote', () => {
  test("default: the protocol's test vector", () => {
    expect(verifier.hashQuote(vectorQuote)).toBe('0x73903559dfe47474b98f54fd7dbde1d3711fd01900a1fcb1672188c16144fab4')
  })

  test('behavior: equals hashQuote of core and the general encoder of viem for any quote and market', async () => {
    const anyDomain = fc.record({ chainId: fc.integer({ min: 1, max: 2 ** 31 }), quoteMarket: anyAddress })
    await fc.assert(
      fc.asyncProperty(anyQuote, anyDomain, async (quote, domain) => {
        const hash = (await createQuoteVerifier(domain)).hashQuote(quote)
        expect(hash).toBe(hashQuote(quote, domain))
        expect(hash).toBe(hashTypedData(quoteTypedData(quote, domain)))
      }),
    )
  })

  test('behavior: leaves nothing of the previous quote in the buffer', () => {
    const full = {
      ...vectorQuote,
      notional: 2n ** 256n - 1n,
      nonce: 2n ** 255n,
      vrtAmount: 2n ** 64n,
      deadline: 1n << 128n,
    }
    verifier.hashQuote(full)
    expect(() => verifier.hashQuote({ ...full, salt: '0x' })).toThrow('salt')
    expect(() => verifier.hashQuote({ ...full, nonce: 2n ** 256n })).toThrow('nonce')
    expect(verifier.hashQuote(vectorQuote)).toBe(hashQuote(vectorQuote, vectorDomain))
  })

  test.each([
    ['maker', '0x12'],
    ['taker', `0x${'00'.repeat(21)}`],
    ['poolId', `0x${'22'.repeat(31)}`],
    ['salt', `0x${'22'.repeat(33)}`],
    ['seriesKey', '22'.repeat(33)],
    ['poolId', `0X${'22'.repeat(32)}`],
    ['maker', `0x${'0'.repeat(39)}g`],
    ['salt', `0x${'0'.repeat(63)} `],
    ['salt', `0x-${'0'.repeat(63)}`],
    // This character's low byte is a digit's character code.
    ['seriesKey', `0x${'0'.repeat(63)}\u0130`],
    ['taker', `0x${'0'.repeat(38)}\u{1f600}`],
    ['notional', -1n],
    ['vrtAmount', 2n ** 256n],
    ['vrtAmount', 2n ** 320n],
    ['nonce', 1],
    ['deadline', '1'],
    ['deadline', undefined],
  ])('error: a %s of %p does not fit', (path, value) => {
    const broken = { ...vectorQuote, signature: `0x${'00'.repeat(65)}`, [path]: value } as never
    for (const use of [verifier.hashQuote, verifier.recoverMaker, verifier.verifyQuote]) {
      expect(() => use(broken)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path }))
      expect(() => use(broken)).toThrow(
        /must be (?:20|32) bytes of hex\.|must be a bigint from 0 to 2\^256 - 1\.|a bigint[,:]/,
      )
    }
  })
})

describe('recoverMaker and verifyQuote', () => {
  test('default', async () => {
    const signed = await sign(vectorQuote)
    expect(verifier.recoverMaker(signed)).toEqual({ signer: account.address })
    expect(verifier.verifyQuote(signed)).toBe(true)
  })

  test('behavior: accepts makers and signatures in any case', async () => {
    const { signature, ...quote } = await sign(vectorQuote)
    const maker = `0x${quote.maker.slice(2).toUpperCase()}` as const
    expect(verifier.verifyQuote({ ...quote, maker, signature: `0x${signature.slice(2).toUpperCase()}` })).toBe(true)
  })

  test('behavior: other terms, another maker', async () => {
    const signed = await sign(vectorQuote)
    const other = { ...signed, maker: vectorDomain.quoteMarket }
    for (const changed of [{ ...signed, vrtAmount: 1n }, other]) {
      expect(verifier.verifyQuote(changed)).toBe(false)
      expect(verifier.recoverMaker(changed)).toEqual(await recoverMaker(changed, vectorDomain))
    }
  })

  test.each(signatureFaults)('error: %s', async (_name, mutate, fault) => {
    const signed = await sign(vectorQuote)
    const broken = { ...signed, signature: mutate(signed.signature) }
    expect(verifier.recoverMaker(broken)).toEqual({ fault })
    expect(verifier.verifyQuote(broken)).toBe(false)
  })
})

describe('several at once', () => {
  test('behavior: verifiers for two markets are independent', async () => {
    const otherDomain = { ...vectorDomain, chainId: 1 }
    const other = await createQuoteVerifier(otherDomain)
    const [here, there] = [await sign(vectorQuote), await sign({ ...vectorQuote, nonce: 7n }, otherDomain)]
    for (let round = 0; round < 3; round += 1) {
      expect([verifier.verifyQuote(here), other.verifyQuote(there)]).toEqual([true, true])
      expect([verifier.verifyQuote(there), other.verifyQuote(here)]).toEqual([false, false])
      expect(verifier.hashQuote(there)).toBe(hashQuote(there, vectorDomain))
      expect(other.hashQuote(there)).toBe(hashQuote(there, otherDomain))
    }
  })
})
