import { describe, expect, test } from '@jest/globals'
import { explainBadSignature, recoverMaker } from './signature.ts'
import { account, sign, vectorDomain, vectorQuote } from './testing/quoteArbitrary.ts'
import { signatureFaults } from './testing/signatureFaults.ts'

describe('recoverMaker', () => {
  test('default', async () => {
    expect(await recoverMaker(await sign(vectorQuote), vectorDomain)).toEqual({ signer: account.address })
  })

  test.each(signatureFaults)('error: %s', async (_name, mutate, fault) => {
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
