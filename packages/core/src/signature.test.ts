import { describe, expect, test } from '@jest/globals'
import { type Hex, hexToBigInt, numberToHex, slice } from 'viem'
import { explainBadSignature, recoverMaker } from './signature.ts'
import { account, sign, vectorDomain, vectorQuote } from './testing/quoteArbitrary.ts'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature of the same key over the same digest: high s, other v. */
function malleate(signature: Hex): Hex {
  const s = numberToHex(curveOrder - hexToBigInt(slice(signature, 32, 64)), { size: 32 })
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${slice(signature, 0, 32)}${s.slice(2)}${v}`
}

describe('recoverMaker', () => {
  test('default', async () => {
    expect(await recoverMaker(await sign(vectorQuote), vectorDomain)).toEqual({ signer: account.address })
  })

  test.each<[string, (signature: Hex) => Hex, string]>([
    ['64 bytes (EIP-2098)', (s) => slice(s, 0, 64), 'not_65_bytes'],
    ['66 bytes', (s) => `${s}00`, 'not_65_bytes'],
    ['nothing', () => '0x', 'not_65_bytes'],
    ['an ERC-6492 wrapper', (s) => `${s}${'6492'.repeat(16)}`, 'not_65_bytes'],
    ['v of 0', (s) => `${slice(s, 0, 64)}00`, 'v_not_27_or_28'],
    ['v of 1', (s) => `${slice(s, 0, 64)}01`, 'v_not_27_or_28'],
    ['v of 29', (s) => `${slice(s, 0, 64)}1d`, 'v_not_27_or_28'],
    ['a high s', malleate, 'high_s'],
    ['r and s of zero', () => `0x${'00'.repeat(64)}1b`, 'unrecoverable'],
    ['r above the curve order', (s) => `0x${'ff'.repeat(32)}${slice(s, 32).slice(2)}`, 'unrecoverable'],
  ])('error: %s', async (_name, mutate, fault) => {
    const signed = await sign(vectorQuote)
    expect(await recoverMaker({ ...signed, signature: mutate(signed.signature) }, vectorDomain)).toEqual({ fault })
  })
})

describe('explainBadSignature', () => {
  const pool = '0x2222222222222222222222222222222222222222'

  test('behavior: another chain', async () => {
    const signed = await sign(vectorQuote, { ...vectorDomain, chainId: 1 })
    expect(await explainBadSignature(signed, vectorDomain)).toBe('wrong_chain')
  })

  test('behavior: another contract', async () => {
    const signed = await sign(vectorQuote, { ...vectorDomain, quoteMarket: pool })
    expect(await explainBadSignature(signed, vectorDomain, [pool])).toBe('wrong_contract')
  })

  test.each([4n, 6n])('behavior: signed with nonce %s, sent with 5', async (nonce) => {
    const signed = await sign({ ...vectorQuote, nonce })
    expect(await explainBadSignature({ ...signed, nonce: 5n }, vectorDomain)).toBe('stale_nonce')
  })

  test('behavior: a fault comes first, and the rest is another signer', async () => {
    const signed = await sign(vectorQuote)
    expect(await explainBadSignature({ ...signed, signature: '0x12' }, vectorDomain)).toBe('not_65_bytes')
    expect(await explainBadSignature({ ...signed, notional: 1n }, vectorDomain)).toBe('other_signer')
  })
})
