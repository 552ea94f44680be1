import { type QuoteDomain, type SerializedSignedQuote, serializeQuote } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import type { DevnetAccount } from '@firmquote/devnet'
import { type Hex, zeroAddress } from 'viem'

/** The series of all RFQs and quotes. */
export type Series = { poolId: Hex; seriesKey: Hex }

/**
 * No RFQ asks for less, so that a quote fits every one of them, and no series of a devnet takes less. Raw units of the loan
 * token.
 */
export const leastNotional = 100_000_000n

/** Makes signed quotes that differ, each good for any RFQ of the series. */
export type QuoteSource = {
  /** Signs `count` quotes ahead, so that nothing is signed while the server is measured. */
  prepare(count: number): void
  next(): SerializedSignedQuote
}

/** Creates a maker's source of quotes. */
export async function createQuoteSource(
  { address, privateKey }: DevnetAccount,
  { poolId, seriesKey }: Series,
  domain: QuoteDomain,
): Promise<QuoteSource> {
  const signer = await createQuoteSigner(privateKey, domain)
  const deadline = BigInt(Math.floor(Date.now() / 1_000) + 7_200)
  const ready: SerializedSignedQuote[] = []
  const salt = new Uint8Array(32)

  const sign = (): SerializedSignedQuote => {
    crypto.getRandomValues(salt)
    const quote = {
      maker: address,
      taker: zeroAddress,
      poolId,
      seriesKey,
      notional: leastNotional,
      vrtAmount: 20_000n + BigInt(salt[0] ?? 0),
      nonce: 0n,
      deadline,
      salt: `0x${Buffer.from(salt).toString('hex')}` as const,
    }
    return { ...serializeQuote(quote), signature: signer.signQuote(quote) }
  }
  return {
    prepare(count) {
      while (ready.length < count) ready.push(sign())
    },
    next: () => ready.pop() ?? sign(),
  }
}
