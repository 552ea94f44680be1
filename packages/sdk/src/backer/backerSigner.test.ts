import { inspect } from 'node:util'
import { hashQuote } from '@firmquote/core'
import { hashBackerAuth, recoverSigner } from '@firmquote/core/protocol'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { describe, expect, test } from '@jest/globals'
import { createWalletClient, custom, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { key, maker, quote, quoteMarket, signerConfig, wireQuote } from '../../test/samples.ts'
import { SignerError } from '../errors.ts'
import { BackerSigner } from './backerSigner.ts'

const timestamp = 1_767_225_600
const audience = 'wss://rfq.example.com/ws/rfq'
const challenge = `firmquote-auth|1|${audience}|${'1'.repeat(64)}`
const clock = createFakeClock(timestamp * 1000)

function signerWithKey(): BackerSigner {
  const signer = new BackerSigner(signerConfig, { clock })
  signer.setPrivateKey(key)
  return signer
}

describe('signQuoteMarketQuote', () => {
  test("default: the protocol's test vector", async () => {
    expect(await signerWithKey().signQuoteMarketQuote(quote)).toEqual(wireQuote)
  })

  test('behavior: accepts a lower-case maker', async () => {
    const lower = { ...quote, maker: maker.toLowerCase() as Hex }
    expect((await signerWithKey().signQuoteMarketQuote(lower)).signature).toBe(wireQuote.signature)
  })

  test('behavior: drops other properties of the quote', async () => {
    expect(await signerWithKey().signQuoteMarketQuote({ ...quote, extra: 1 } as never)).toEqual(wireQuote)
  })

  test("error: another maker's quote", async () => {
    const other = { ...quote, maker: quoteMarket } as const
    await expect(signerWithKey().signQuoteMarketQuote(other)).rejects.toMatchObject({
      name: 'SignerError',
      code: 'MAKER_MISMATCH',
    })
  })

  test('error: no signer', async () => {
    const signer = new BackerSigner(signerConfig)
    expect(signer.getAddress()).toBeNull()
    await expect(signer.signQuoteMarketQuote(quote)).rejects.toMatchObject({ code: 'SIGNER_MISSING' })
  })

  test.each([
    ['a short poolId', { poolId: '0x22' }],
    ['a negative notional', { notional: -1n }],
    ['a notional beyond uint256', { notional: 2n ** 256n }],
    ['a nonce as number', { nonce: 0 }],
    ['a taker that is no address', { taker: '0x00' }],
  ])('error: %s', async (_what, change) => {
    await expect(signerWithKey().signQuoteMarketQuote({ ...quote, ...change } as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      path: Object.keys(change)[0],
    })
  })
})

describe('signAuthChallenge', () => {
  const digest = '0xb6771b86a09f5e9bdd2acd1fb9e0f9332de563b760daf39b498a6d63099498ca'

  test("default: the protocol's test vector", async () => {
    const nonce: Hex = `0x${'1'.repeat(64)}`
    expect(hashBackerAuth({ audience, nonce, backer: maker, chainId: 8453, quoteMarket, timestamp })).toBe(digest)
    const signature = await signerWithKey().signAuthChallenge(challenge, timestamp)
    expect(await recoverSigner(digest, signature)).toEqual({ signer: maker })
    expect(signature).toBe(await privateKeyToAccount(key).sign({ hash: digest }))
  })

  test.each([
    '',
    'sign me',
    quote.salt,
    challenge.replace('|1|', '|2|'),
    challenge.replace('wss:', 'https:'),
    challenge.replace('/ws/rfq', '/ws/rfq?x=1'),
    `${challenge}0`,
    challenge.slice(0, -1),
    `${challenge}\n`,
    challenge.toUpperCase(),
    challenge.replace('rfq.example.com', 'user@rfq.example.com'),
  ])('error: %j is not a challenge', async (text) => {
    await expect(signerWithKey().signAuthChallenge(text, timestamp)).rejects.toMatchObject({
      code: 'INVALID_CHALLENGE',
    })
  })

  test('behavior: signs a timestamp 300 seconds off', async () => {
    for (const off of [-300, 300]) {
      expect(await signerWithKey().signAuthChallenge(challenge, timestamp + off)).toMatch(/^0x[0-9a-f]{130}$/)
    }
  })

  test.each([-301, 301, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'error: a timestamp %d seconds off',
    async (off) => {
      await expect(signerWithKey().signAuthChallenge(challenge, timestamp + off)).rejects.toMatchObject({
        code: 'TIMESTAMP_OUT_OF_WINDOW',
      })
    },
  )
})

describe('setAccount', () => {
  test("default: a wallet client's local account", async () => {
    const account = privateKeyToAccount(key)
    const signer = new BackerSigner(signerConfig)
    signer.setAccount(account, createWalletClient({ account, transport: http('http://127.0.0.1:1') }))
    expect(signer.getAddress()).toBe(maker)
    expect(await signer.signQuoteMarketQuote(quote)).toEqual(wireQuote)
  })

  test.each([
    ['as it is', '1b'],
    ['with v as 0', '00'],
  ])('behavior: a browser wallet, its signature %s', async (_how, v) => {
    const calls: { method: string; params?: unknown }[] = []
    const wallet = createWalletClient({
      transport: custom({
        async request(call) {
          calls.push(call)
          return `${wireQuote.signature.slice(0, -2)}${v}`
        },
      }),
    })
    const signer = new BackerSigner(signerConfig)
    signer.setAccount(maker, wallet)
    expect(await signer.signQuoteMarketQuote(quote)).toEqual(wireQuote)
    const [address, typedData] = (calls[0]?.params ?? []) as string[]
    expect(calls[0]?.method).toBe('eth_signTypedData_v4')
    expect(address).toBe(maker)
    expect(JSON.parse(typedData ?? '')).toMatchObject({ primaryType: 'Quote', message: { salt: quote.salt } })
  })

  test('error: the wallet rejects', async () => {
    const wallet = createWalletClient({
      transport: custom({ request: () => Promise.reject(new TypeError('the user said no')) }, { retryCount: 0 }),
    })
    const signer = new BackerSigner(signerConfig)
    signer.setAccount(maker, wallet)
    await expect(signer.signQuoteMarketQuote(quote)).rejects.toMatchObject({
      code: 'SIGNING_FAILED',
      cause: expect.objectContaining({ message: expect.stringContaining('the user said no') }),
    })
  })
})

describe('the key', () => {
  const digits = key.slice(2)

  test('behavior: never exposed', () => {
    const signer = signerWithKey()
    const shown = [
      inspect(signer, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
      inspect({ signer }, { depth: Number.POSITIVE_INFINITY, showHidden: true, showProxy: true }),
      JSON.stringify(signer),
      JSON.stringify(structuredClone(signer)),
      String(signer),
      Reflect.ownKeys(signer).join(),
    ].join()
    expect(shown.toLowerCase()).not.toContain(digits)
    // The key in decimal or as bytes, as printed for a bigint or an array.
    expect(shown).not.toContain(BigInt(key).toString())
    expect(Reflect.ownKeys(signer)).toEqual([])
  })

  test.each([
    ['too short', key.slice(0, -2)],
    ['too long', `${key}00`],
    ['without 0x', digits],
    ['not hex', `${key.slice(0, -1)}g`],
    ['zero', `0x${'0'.repeat(64)}`],
    ['beyond the curve', `0x${'f'.repeat(64)}`],
  ])('error: %s, and the error does not repeat it', (_what, bad) => {
    const signer = new BackerSigner(signerConfig)
    let error: unknown
    try {
      signer.setPrivateKey(bad as Hex)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(SignerError)
    expect(error).toMatchObject({ code: 'INVALID_PRIVATE_KEY' })
    const shown = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })
    expect(shown).not.toContain(bad.slice(2, 40))
    expect(signer.getAddress()).toBeNull()
  })

  test('behavior: an invalid key keeps the previous signer', () => {
    const signer = signerWithKey()
    expect(() => signer.setPrivateKey('0x00')).toThrow(SignerError)
    expect(signer.getAddress()).toBe(maker)
  })
})

describe('setContract', () => {
  const contract = '0x2222222222222222222222222222222222222222'
  const signs = (signDigest: (digest: Hex) => Promise<Hex>) => {
    const signer = new BackerSigner(signerConfig, { clock })
    signer.setContract(contract, signDigest)
    return signer
  }

  test('default: quotes and challenges name the contract and have its signature format', async () => {
    const digests: Hex[] = []
    const signer = signs(async (digest) => {
      digests.push(digest)
      return `0x${'ab'.repeat(130)}`
    })
    expect(signer.getAddress()).toBe(contract)
    const signed = await signer.signQuoteMarketQuote({ ...quote, maker: contract })
    expect(signed).toMatchObject({ maker: contract, signature: `0x${'ab'.repeat(130)}` })
    expect(await signer.signAuthChallenge(challenge, timestamp)).toBe(signed.signature)
    const domain = { chainId: 8453, quoteMarket } as const
    const nonce: Hex = `0x${'1'.repeat(64)}`
    expect(digests).toEqual([
      hashQuote({ ...quote, maker: contract }, domain),
      hashBackerAuth({ audience, nonce, backer: contract, timestamp, ...domain }),
    ])
    await expect(signer.signQuoteMarketQuote(quote)).rejects.toMatchObject({ code: 'MAKER_MISMATCH' })
  })

  test.each([
    ['no hex', async () => 'signed' as Hex],
    ['too much', async () => `0x${'ab'.repeat(1_025)}` as Hex],
    ['a failure', () => Promise.reject(new TypeError('no'))],
  ] as const)('error: a signer that gives %s', async (_what, signDigest) => {
    await expect(signs(signDigest).signAuthChallenge(challenge, timestamp)).rejects.toMatchObject({
      code: 'SIGNING_FAILED',
    })
  })

  test('error: an invalid address or signing function', () => {
    const signer = new BackerSigner(signerConfig)
    expect(() => signer.setContract('0x00', async () => '0x')).toThrow('maker')
    expect(() => signer.setContract(contract, null as never)).toThrow('signDigest')
  })
})
