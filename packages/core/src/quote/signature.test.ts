import { describe, expect, test } from '@jest/globals'

import { slice, zeroHash } from 'viem'
import { account, sign, vectorDomain, vectorQuote } from '../../test/quoteArbitrary.ts'
import { signatureFaults } from '../../test/signatureFaults.ts'
import { explainBadSignature, recoverMaker, recoverSigner } from './signature.ts'

describe('recoverMaker', () => {
  test('default', async () => {
    expect(await recoverMaker(await sign(vectorQuote), vectorDomain)).toEqual({ signer: account.address })
  })

  test.each(signatureFaults)('error: %s', async (_name, mutate, fault) => {
    const signed = await sign(vectorQuote)
    expect(await recoverMaker({ ...signed, signature: mutate(signed.signature) }, vectorDomain)).toEqual({ fault })
  })
})

describe('recoverSigner', () => {
  test("behavior: s may be at most half the curve's order (EIP-2)", async () => {
    const { signature } = await sign(vectorQuote)
    const recover = (half: string) => recoverSigner(zeroHash, `${slice(signature, 0, 32)}${half}1b`)
    const half = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a'
    expect((await recover(`${half}0`)).signer).toMatch(/^0x/)
    expect(await recover(`${half}1`)).toEqual({ fault: 'high_s' })
  })
})

describe('explainBadSignature', () => {
  const pool = '0x2222222222222222222222222222222222222222'

  test.each([1, 84532, 31337])('behavior: another chain, %s', async (chainId) => {
    const signed = await sign(vectorQuote, { ...vectorDomain, chainId })
    const maker = signed.maker.toLowerCase() as typeof signed.maker
    expect(await explainBadSignature({ ...signed, maker }, vectorDomain)).toBe('wrong_chain')
  })

  test('behavior: does not try unlikely chains', async () => {
    const signed = await sign(vectorQuote, { ...vectorDomain, chainId: 10 })
    expect(await explainBadSignature(signed, vectorDomain)).toBe('other_signer')
  })

  test('behavior: the first or second alternative contract', async () => {
    const signed = await sign(vectorQuote, { ...vectorDomain, quoteMarket: pool })
    expect(await explainBadSignature(signed, vectorDomain, [pool])).toBe('wrong_contract')
    expect(await explainBadSignature(signed, vectorDomain, [account.address, pool])).toBe('wrong_contract')
    expect(await explainBadSignature(signed, vectorDomain, [account.address, account.address, pool])).toBe(
      'other_signer',
    )
  })

  test.each([
    [0n, 7],
    [5n, 8],
  ])('behavior: with nonce %s at most %s recoveries', async (nonce, most) => {
    const signed = await sign({ ...vectorQuote, nonce, maker: pool })
    const tried: string[] = []
    const recover: typeof recoverSigner = async (digest) => {
      tried.push(digest)
      // A recovery that finds no signer does not stop the search.
      return tried.length === 1 ? { signer: account.address } : { fault: 'unrecoverable' }
    }
    expect(await explainBadSignature(signed, vectorDomain, [pool, account.address, pool], recover)).toBe('other_signer')
    expect(new Set(tried).size).toBe(most)
    expect(tried).toHaveLength(most)
  })

  test.each([
    [4n, 5n],
    [6n, 5n],
    [0n, 1n],
  ])('behavior: signed with nonce %s, sent with %s', async (signedWith, nonce) => {
    const signed = await sign({ ...vectorQuote, nonce: signedWith })
    expect(await explainBadSignature({ ...signed, nonce }, vectorDomain)).toBe('stale_nonce')
  })

  test('behavior: signed with nonce 0, sent with 1', async () => {
    const signed = await sign({ ...vectorQuote, nonce: 0n })
    expect(await explainBadSignature({ ...signed, nonce: 1n }, vectorDomain)).toBe('stale_nonce')
  })

  test('behavior: reports a fault first, and otherwise another signer', async () => {
    const signed = await sign(vectorQuote)
    expect(await explainBadSignature({ ...signed, signature: '0x12' }, vectorDomain)).toBe('not_65_bytes')
    expect(await explainBadSignature({ ...signed, notional: 1n }, vectorDomain)).toBe('other_signer')
  })
})
