import { randomBytes, randomInt } from 'node:crypto'
import { type QuoteDomain, type QuoteMarketQuote, type SignedQuote, serializeQuote } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import { decodeOrThrow, quoteShape } from '@firmquote/core/wire'
import { bytesToHex, type Hex, zeroAddress } from 'viem'

/** The market that the samples are for. */
export const sampleDomain: QuoteDomain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' }
/** The key of their maker. */
export const sampleKey: Hex = `0x${'ab'.repeat(32)}`

const signer = await createQuoteSigner(sampleKey, sampleDomain)

/** New quotes, all different, decoded from JSON as a server gets them. */
export function freshQuotes(count: number): QuoteMarketQuote[] {
  return Array.from({ length: count }, () => {
    const text = JSON.stringify(
      serializeQuote({
        maker: signer.address,
        taker: zeroAddress,
        poolId: `0x${'22'.repeat(32)}`,
        seriesKey: `0x${'33'.repeat(32)}`,
        notional: 1_000_000_000_000n + BigInt(randomInt(1_000_000)),
        vrtAmount: 25_000_000_000n,
        nonce: 0n,
        deadline: 1_767_226_200n,
        salt: bytesToHex(randomBytes(32)),
      }),
    )
    return decodeOrThrow(quoteShape, JSON.parse(text), 'a sample')
  })
}

/** The same, signed. */
export function freshSignedQuotes(count: number): SignedQuote[] {
  return freshQuotes(count).map((quote) => {
    // Through a buffer: what was put together from pieces would be flattened at the expense of the side that reads it.
    const signature = Buffer.from(signer.signQuote(quote), 'latin1').toString('latin1') as Hex
    return { ...quote, signature }
  })
}

/** New signed quotes as JSON. Their signatures are random bytes of the right form, which no decoder looks into. */
export function freshQuoteTexts(count: number): string[] {
  return freshQuotes(count).map((quote) =>
    JSON.stringify({ ...serializeQuote(quote), signature: `${bytesToHex(randomBytes(64))}1b` }),
  )
}
