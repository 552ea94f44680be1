import { quoteTypedData } from '@firmquote/core'
import * as wasm from '@firmquote/core/verifier'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { key, maker, quote, quoteMarket, wireQuote } from '../../test/samples.ts'
import * as viem from './viemQuoteSigner.ts'

const domain = { chainId: 8453, quoteMarket } as const
/** Both functions have the same type, because the package's `imports` field substitutes one for the other. */
const creators: (typeof viem.createQuoteSigner)[] = [viem.createQuoteSigner, wasm.createQuoteSigner]
const seed = Number(process.env['SEED'] ?? 20_261_121)

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((data) => bytesToHex(data))
const anyQuote = fc.record({
  maker: bytes(20),
  taker: bytes(20),
  poolId: bytes(32),
  seriesKey: bytes(32),
  notional: uint256,
  vrtAmount: uint256,
  nonce: uint256,
  deadline: uint256,
  salt: bytes(32),
})
// The fixed first byte keeps the key below the curve's order, and the fixed last byte keeps it positive.
const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((data) => {
  data[0] = 0x7f
  data[31] = 1
  return bytesToHex(data)
})

test.each(creators)("default: the protocol's test vector", async (createQuoteSigner) => {
  const signer = await createQuoteSigner(key, domain)
  expect(signer.address).toBe(maker)
  expect(await signer.signQuote(quote)).toBe(wireQuote.signature)
})

test(`behavior: the same bytes for any key and quote as viem's signTypedData (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(anyKey, fc.array(anyQuote, { minLength: 1, maxLength: 4 }), async (privateKey, quotes) => {
      const account = privateKeyToAccount(privateKey)
      const signers = await Promise.all(creators.map((create) => create(privateKey, domain)))
      for (const some of quotes) {
        const expected = await account.signTypedData(quoteTypedData(some, domain))
        for (const signer of signers) expect(await signer.signQuote(some)).toBe(expected)
      }
    }),
    { seed, numRuns: 60 },
  )
})
