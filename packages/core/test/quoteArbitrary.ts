import fc from 'fast-check'
import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { QuoteMarketQuote, SignedQuote } from '../src/generated/wireTypes.ts'
import { type QuoteDomain, quoteTypedData } from '../src/quote/typedData.ts'
import { maxUint256 } from '../src/values/uint256.ts'

/** The first well-known anvil account. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

/** The market in the protocol's test vector. */
export const vectorDomain: QuoteDomain = {
  chainId: 8453,
  quoteMarket: '0x1111111111111111111111111111111111111111',
}

/** The quote in the protocol's test vector. */
export const vectorQuote: QuoteMarketQuote = {
  maker: account.address,
  taker: zeroAddress,
  poolId: `0x${'22'.repeat(32)}`,
  seriesKey: `0x${'33'.repeat(32)}`,
  notional: 1_000_000_000_000n,
  vrtAmount: 25_000_000_000n,
  nonce: 0n,
  deadline: 1_767_226_200n,
  salt: `0x${'44'.repeat(32)}`,
}

/** Signs a quote with the test vector's key, as a wallet would. */
export async function sign(quote: QuoteMarketQuote, domain = vectorDomain): Promise<SignedQuote> {
  return { ...quote, signature: await account.signTypedData(quoteTypedData(quote, domain)) }
}

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((b): Hex => `0x${Buffer.from(b).toString('hex')}`)
const uint = fc.bigInt({ min: 0n, max: maxUint256 })

/** Any checksummed address. */
export const anyAddress = bytes(20).map((hex): Address => getAddress(hex))

/** Any quote that the wire format can represent. */
export const anyQuote: fc.Arbitrary<QuoteMarketQuote> = fc.record({
  maker: anyAddress,
  taker: anyAddress,
  poolId: bytes(32),
  seriesKey: bytes(32),
  notional: fc.bigInt({ min: 1n, max: maxUint256 }),
  vrtAmount: uint,
  nonce: uint,
  deadline: uint,
  salt: bytes(32),
})
