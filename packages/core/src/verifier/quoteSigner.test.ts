import { inspect } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { account, anyQuote, vectorDomain, vectorQuote } from '../../test/quoteArbitrary.ts'
import { quoteTypedData } from '../quote/typedData.ts'
import { createQuoteSigner, type QuoteSigner } from './quoteSigner.ts'
import { createQuoteVerifier } from './quoteVerifier.ts'

/** The test vector's key, which belongs to anvil's first account. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

let signer: QuoteSigner
beforeAll(async () => {
  signer = await createQuoteSigner(key, vectorDomain)
})

describe('createQuoteSigner', () => {
  test("default: the protocol's test vector", () => {
    expect(signer.address).toBe(account.address)
    expect(signer.signQuote(vectorQuote)).toBe(
      '0x9a97d55626da9a18f6e0550cd125df57c8417b004c13a8def93202c0737186d73dbe152afb172ac2afad6c504352a0e7e5cda384f633a46f1deaea1923efaebd1b',
    )
  })

  test('behavior: signs the same bytes as viem for any key and quote, and verifies them', async () => {
    const { verifyQuote } = await createQuoteVerifier(vectorDomain)
    const anyKey = fc.bigInt({ min: 1n, max: curveOrder - 1n }).map(word)
    await fc.assert(
      fc.asyncProperty(anyKey, anyQuote, async (privateKey, quote) => {
        const own = await createQuoteSigner(privateKey, vectorDomain)
        const theirs = privateKeyToAccount(privateKey)
        expect(own.address).toBe(theirs.address)
        const signed = { ...quote, maker: own.address }
        const signature = own.signQuote(signed)
        expect(signature).toBe(await theirs.signTypedData(quoteTypedData(signed, vectorDomain)))
        expect(verifyQuote({ ...signed, signature })).toBe(true)
      }),
    )
  })

  test('behavior: alternating signers keep their own keys', async () => {
    const other = await createQuoteSigner(word(1n), vectorDomain)
    const [mine, theirs] = [signer.signQuote(vectorQuote), other.signQuote(vectorQuote)]
    expect(mine).not.toBe(theirs)
    expect([signer.signQuote(vectorQuote), other.signQuote(vectorQuote)]).toEqual([mine, theirs])
  })

  test('behavior: never exposes the key', () => {
    const shown = inspect(signer, { depth: null, showHidden: true }) + JSON.stringify(signer) + String(signer.signQuote)
    expect(shown.toLowerCase()).not.toContain(key.slice(2, 12))
    expect(shown).not.toContain(`${Number(`0x${key.slice(2, 4)}`)}, ${Number(`0x${key.slice(4, 6)}`)}`)
  })

  test('error: a field that does not fit', () => {
    expect(() => signer.signQuote({ ...vectorQuote, nonce: -1n })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path: 'nonce' }),
    )
  })

  test.each([
    ['zero', word(0n)],
    ['the curve order', word(curveOrder)],
    ['the largest word', word(2n ** 256n - 1n)],
    ['31 bytes', key.slice(0, -2)],
    ['33 bytes', `${key}ab`],
    ['no hex', `${key.slice(0, -1)}g`],
    ['no 0x', `ac${key.slice(2)}`],
  ])('error: a key of %s is refused and not repeated', async (_name, bad) => {
    const failure = await createQuoteSigner(bad as Hex, vectorDomain).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'INVALID_INPUT', path: 'key' })
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain(bad.slice(2, -2))
  })
})
