import { randomBytes, randomInt } from 'node:crypto'
import {
  type QuoteDomain,
  type QuoteMarketQuote,
  type SignedQuote,
  serializeQuote,
  serializeSignedQuote,
} from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import { decodeOrThrow, quoteShape } from '@firmquote/core/wire'
import { type Address, bytesToHex, type Hex, zeroAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'

/** A pool and series, for RFQs and quotes. */
export type Series = { poolId: Hex; seriesKey: Hex }

/**
 * Notional of every quote, in raw units of the loan token. Equal to the minimum for the devnet's series and these RFQs.
 */
export const minNotionalOf = 100_000_000n

/** Creates a unique quote that is valid for two hours. */
function newQuote(maker: Address, { poolId, seriesKey }: Series, notional = minNotionalOf): QuoteMarketQuote {
  return {
    ...{ maker, taker: zeroAddress, poolId, seriesKey, notional },
    vrtAmount: 1_000n + BigInt(randomInt(50_000)),
    nonce: 0n,
    deadline: BigInt(Math.floor(Date.now() / 1_000) + 7_200),
    salt: bytesToHex(randomBytes(32)),
  }
}

/** Creates a function that signs `count` quotes, cycling through the makers and series. */
export async function createQuotes(
  makers: readonly { privateKey: Hex }[],
  series: readonly Series[],
  domain: QuoteDomain,
): Promise<(count: number) => SignedQuote[]> {
  const signers = await Promise.all(makers.map(({ privateKey }) => createQuoteSigner(privateKey, domain)))
  return (count) =>
    Array.from({ length: count }, (_, index) => {
      const [signer, pair] = [signers[index % signers.length], series[index % series.length]]
      if (!signer || !pair) throw new TypeError('At least one maker and one series are required.')
      const quote = newQuote(signer.address, pair)
      return { ...quote, signature: signer.signQuote(quote) }
    })
}

/** The body of `POST /api/v1/quotes`. */
export const quoteBody = (quote: SignedQuote): string => JSON.stringify(serializeSignedQuote(quote))

/** Signing domain of the sample quotes. */
export const sampleDomain: QuoteDomain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' }
/** Private key of the sample quotes' maker. */
export const sampleKey: Hex = `0x${'ab'.repeat(32)}`
const sampleMaker = privateKeyToAddress(sampleKey)
const sampleSeries: Series = { poolId: `0x${'22'.repeat(32)}`, seriesKey: `0x${'33'.repeat(32)}` }
const sampleSigner = await createQuoteSigner(sampleKey, sampleDomain)

/** Sample quotes, decoded from JSON as a server receives them. */
export function freshQuotes(count: number): QuoteMarketQuote[] {
  return Array.from({ length: count }, () => {
    const quote = newQuote(sampleMaker, sampleSeries, 1_000_000_000_000n + BigInt(randomInt(1_000_000)))
    return decodeOrThrow(quoteShape, JSON.parse(JSON.stringify(serializeQuote(quote))), 'a sample')
  })
}

/** Signed sample quotes. */
export function freshSignedQuotes(count: number): SignedQuote[] {
  return freshQuotes(count).map((quote) => {
    // Copied through a buffer. Without the copy, V8 would flatten the concatenated string during the measurement.
    const signature = Buffer.from(sampleSigner.signQuote(quote), 'latin1').toString('latin1') as Hex
    return { ...quote, signature }
  })
}

/** Sample quotes as JSON. The signatures are random bytes of the right length, since decoders do not verify them. */
export function freshQuoteTexts(count: number): string[] {
  return freshQuotes(count).map((quote) => quoteBody({ ...quote, signature: `${bytesToHex(randomBytes(64))}1b` }))
}
