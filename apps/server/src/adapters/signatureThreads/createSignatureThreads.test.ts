import { hashQuote, type SignedQuote } from '@firmquote/core'
import { recoverSigner } from '@firmquote/core/protocol'
import { createQuoteSigner } from '@firmquote/core/verifier'
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, numberToHex, zeroAddress } from 'viem'
import { OverloadedError } from '../../ports/errors.ts'
import { createSignatureThreads, type SignatureThreads } from './createSignatureThreads.ts'

const domain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' } as const
const key: Hex = `0x${'ab'.repeat(32)}`

let threads: SignatureThreads
let quotes: { hash: Hex; quote: SignedQuote }[]

beforeAll(async () => {
  const { address, signQuote } = await createQuoteSigner(key, domain)
  quotes = Array.from({ length: 100 }, (_, index) => {
    const quote = {
      maker: address,
      taker: zeroAddress,
      poolId: numberToHex(1, { size: 32 }),
      seriesKey: numberToHex(2, { size: 32 }),
      notional: 1_000n,
      vrtAmount: BigInt(index),
      nonce: 0n,
      deadline: 1_767_226_200n,
      salt: numberToHex(index, { size: 32 }),
    }
    return { hash: hashQuote(quote, domain), quote: { ...quote, signature: signQuote(quote) } }
  })
})
afterEach(() => threads.close())

const start = async (options: { threads?: number; maxWaiting?: number } = {}) => {
  threads = await createSignatureThreads({ domain, threads: 2, ...options })
  return threads
}

describe('hashQuote', () => {
  test("default: core's own digest", async () => {
    const { hashQuote: hash } = await start()
    expect(quotes.map(({ quote }) => hash(quote))).toEqual(quotes.map(({ hash }) => hash))
  })
})

describe('recoverSigner', () => {
  test.each([1, 2, 3])('default: with %i threads, each request gets its own signer', async (count) => {
    const { recoverSigner: recover } = await start({ threads: count })
    // Recovering a signature with another quote's digest yields a different signer or none, so the test detects
    // misordered answers.
    const asked = quotes.map(({ quote }, index) => ({
      digest: quotes[index % 3 === 0 ? (index + 1) % quotes.length : index]?.hash ?? '0x',
      signature: quote.signature,
    }))
    const answers = await Promise.all(asked.map(({ digest, signature }) => recover(digest, signature)))
    const expected = await Promise.all(asked.map(({ digest, signature }) => recoverSigner(digest, signature)))
    expect(answers).toEqual(
      expected.map(({ signer, fault }) => (signer ? { signer: signer.toLowerCase() } : { fault })),
    )
  })

  test.each<[string, (signature: Hex) => Hex]>([
    ['not_65_bytes', (signature) => signature.slice(0, -2) as Hex],
    ['not_65_bytes', (signature) => `${signature.slice(0, -1)}x` as Hex],
    ['v_not_27_or_28', (signature) => `${signature.slice(0, -2)}1d` as Hex],
    ['high_s', (signature) => `${signature.slice(0, 66)}${'f'.repeat(64)}1b` as Hex],
    ['unrecoverable', (signature) => `0x${'00'.repeat(64)}${signature.slice(-2)}`],
  ])('error: %s', async (fault, change) => {
    const [first] = quotes
    if (!first) throw new RangeError('a quote')
    const { recoverSigner: recover } = await start()
    expect(await recover(first.hash, change(first.quote.signature))).toEqual({ fault })
  })

  test('error: too many pending requests', async () => {
    const { recoverSigner: recover } = await start({ threads: 1, maxWaiting: 10 })
    const outcomes = await Promise.allSettled(quotes.map(({ hash, quote }) => recover(hash, quote.signature)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const outcome of outcomes.slice(10)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(OverloadedError) })
    }
  })

  test('error: requests after the close, and pending ones', async () => {
    const { recoverSigner: recover, close } = await start()
    const asked = Promise.allSettled(quotes.map(({ hash, quote }) => recover(hash, quote.signature)))
    await close()
    const outcomes = await asked
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    const [first] = quotes
    if (!first) throw new RangeError('a quote')
    await expect(recover(first.hash, first.quote.signature)).rejects.toBeInstanceOf(OverloadedError)
  })
})
