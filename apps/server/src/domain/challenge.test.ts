import { quoteEip712Domain } from '@firmquote/core'
import { backerAuthTypedData, hashBackerAuth, parseChallenge, recoverSigner } from '@firmquote/core/protocol'
import { describe, expect, test } from '@jest/globals'
import { type Address, type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { noControls } from '../../test/noControls.ts'
import { ConfigurationError } from '../ports/errors.ts'
import { type AuthAttempt, createChallenge, judgeAuth } from './challenge.ts'

// The first well-known anvil key.
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const chainId = 8453
const quoteMarket: Address = '0x1111111111111111111111111111111111111111'
const audience = 'wss://rfq.example.com/ws/rfq'
const nonce: Hex = `0x${'11'.repeat(32)}`
const timestamp = 1_767_225_600
const now = timestamp * 1000

async function attempt(
  overrides: { signed?: Partial<Parameters<typeof backerAuthTypedData>[0]> } & Partial<AuthAttempt> = {},
): Promise<AuthAttempt> {
  const { signed, ...rest } = overrides
  const auth = { backer: account.address, audience, nonce, chainId, quoteMarket, timestamp, ...signed }
  return {
    challenge: createChallenge({ audience, nonce, now }),
    answer: {
      address: account.address,
      timestamp: auth.timestamp,
      signature: await account.signTypedData(backerAuthTypedData(auth)),
    },
    chainId,
    quoteMarket,
    now,
    controls: noControls,
    ...rest,
  }
}

describe('createChallenge', () => {
  test('default', () => {
    const challenge = createChallenge({ audience, nonce, now })
    expect(challenge.text).toBe(`firmquote-auth|1|${audience}|${'11'.repeat(32)}`)
    expect(parseChallenge(challenge.text)).toEqual({ audience, nonce })
    expect(challenge.expiresAt).toBe(now + 30_000)
  })

  test('error: an audience that is not the URL of a backer socket', () => {
    expect(() => createChallenge({ audience: 'https://rfq.example.com/ws/rfq', nonce, now })).toThrow(
      ConfigurationError,
    )
  })
})

describe('judgeAuth', () => {
  test('default', async () => {
    expect(await judgeAuth(await attempt(), recoverSigner)).toEqual({ ok: true, address: account.address })
  })

  test('behavior: the digest is the one of the published vector', () => {
    expect(hashBackerAuth({ backer: account.address, audience, nonce, chainId, quoteMarket, timestamp })).toBe(
      '0xb6771b86a09f5e9bdd2acd1fb9e0f9332de563b760daf39b498a6d63099498ca',
    )
  })

  test('behavior: a timestamp 60 seconds away is accepted, a millisecond more is not', async () => {
    for (const sign of [1, -1]) {
      const at = now + sign * 60_000
      const challenge = createChallenge({ audience, nonce, now: at })
      expect(await judgeAuth(await attempt({ challenge, now: at }), recoverSigner)).toMatchObject({ ok: true })
      expect(await judgeAuth(await attempt({ challenge, now: at + sign }), recoverSigner)).toMatchObject({
        closeCode: 4401,
        code: 'timestamp_out_of_window',
      })
    }
  })

  test('behavior: a contract that accepts the signature is a backer; without an answer it is not', async () => {
    const signed = { backer: '0x3333333333333333333333333333333333333333' as Address }
    const given = await attempt({ signed })
    const judge = (answer: boolean | null) => judgeAuth(given, recoverSigner, async () => answer)
    const { address, signature } = given.answer
    expect(await judge(true)).toEqual({
      ok: true,
      address,
      contract: { account: address, digest: expect.stringMatching(/^0x[0-9a-f]{64}$/), signature },
    })
    expect(await judge(false)).toMatchObject({ closeCode: 4401, code: 'bad_signature' })
    expect(await judge(null)).toMatchObject({ closeCode: 1013, code: 'chain_unavailable' })
  })

  test('error: the challenge has expired', async () => {
    const late = now + 30_001
    expect(await judgeAuth(await attempt({ now: late - 1 }), recoverSigner)).toMatchObject({ ok: true })
    expect(await judgeAuth(await attempt({ now: late }), recoverSigner)).toMatchObject({
      closeCode: 4401,
      code: 'challenge_expired',
    })
  })

  test.each([
    ['another nonce', { nonce: `0x${'22'.repeat(32)}` as Hex }],
    ['another server', { audience: 'wss://rfq.example.org/ws/rfq' }],
    ['another chain', { chainId: 1 }],
    ['another market', { quoteMarket: '0x2222222222222222222222222222222222222222' as Address }],
    ['another backer', { backer: '0x3333333333333333333333333333333333333333' as Address }],
  ])('error: signed for %s', async (_what, signed) => {
    expect(await judgeAuth(await attempt({ signed }), recoverSigner)).toMatchObject({
      closeCode: 4401,
      code: 'bad_signature',
    })
  })

  test('error: a timestamp other than the signed one', async () => {
    const valid = await attempt()
    const answer = { ...valid.answer, timestamp: timestamp + 1 }
    expect(await judgeAuth({ ...valid, answer }, recoverSigner)).toMatchObject({
      closeCode: 4401,
      code: 'bad_signature',
    })
  })

  test.each<[string, (answer: AuthAttempt['answer']) => Hex | Promise<Hex>]>([
    ['no bytes', () => '0x'],
    ['64 bytes', ({ signature }) => signature.slice(0, 130) as Hex],
    ['66 bytes', ({ signature }) => `${signature}00`],
    ['zeros', () => `0x${'00'.repeat(65)}`],
    ['its text', () => account.signMessage({ message: createChallenge({ audience, nonce, now }).text })],
    [
      'its message in the domain of quotes',
      () => {
        const message = backerAuthTypedData({
          backer: account.address,
          audience,
          nonce,
          chainId,
          quoteMarket,
          timestamp,
        })
        return account.signTypedData({ ...message, domain: quoteEip712Domain({ chainId, quoteMarket }) })
      },
    ],
    [
      'the high-s form',
      ({ signature }) => {
        const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
        const s = toHex(order - BigInt(`0x${signature.slice(66, 130)}`), { size: 32 }).slice(2)
        return `${signature.slice(0, 66) as Hex}${s}${signature.endsWith('1b') ? '1c' : '1b'}`
      },
    ],
  ])('error: signed with %s', async (_what, sign) => {
    const valid = await attempt()
    const answer = { ...valid.answer, signature: await sign(valid.answer) }
    expect(await judgeAuth({ ...valid, answer }, recoverSigner)).toMatchObject({
      closeCode: 4401,
      code: 'bad_signature',
    })
  })

  test('behavior: the allow list is checked last', async () => {
    const others = new Set(['0x3333333333333333333333333333333333333333'])
    expect(await judgeAuth(await attempt({ allowList: others }), recoverSigner)).toMatchObject({
      closeCode: 4403,
      code: 'not_allowed',
    })
    expect(await judgeAuth(await attempt({ allowList: others, signed: { chainId: 1 } }), recoverSigner)).toMatchObject({
      code: 'bad_signature',
    })
    const allowList = new Set([account.address.toLowerCase()])
    expect(await judgeAuth(await attempt({ allowList }), recoverSigner)).toMatchObject({ ok: true })
  })
})
