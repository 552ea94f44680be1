import { type QuoteDomain, type SerializedSignedQuote, serializeQuote } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import type { DevnetAccount } from '@firmquote/devnet'
import { bytesToHex, type Hex, zeroAddress } from 'viem'

/** The series of all RFQs and quotes. */
export type Series = { poolId: Hex; seriesKey: Hex }

/**
 * The notional of every quote, in raw units of the loan token. No RFQ asks for less, so that a quote fits every one of them,
 * and no series of a devnet takes less.
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
  { address: maker, privateKey }: DevnetAccount,
  { poolId, seriesKey }: Series,
  domain: QuoteDomain,
): Promise<QuoteSource> {
  const signer = await createQuoteSigner(privateKey, domain)
  const deadline = BigInt(Math.floor(Date.now() / 1_000) + 7_200)
  const ready: SerializedSignedQuote[] = []
  const sign = (): SerializedSignedQuote => {
    const salt = crypto.getRandomValues(new Uint8Array(32))
    const terms = { maker, taker: zeroAddress, poolId, seriesKey, nonce: 0n, deadline, salt: bytesToHex(salt) }
    const quote = { ...terms, notional: leastNotional, vrtAmount: 20_000n + BigInt(salt[0] ?? 0) }
    return { ...serializeQuote(quote), signature: signer.signQuote(quote) }
  }
  return {
    prepare(count) {
      while (ready.length < count) ready.push(sign())
    },
    next: () => ready.pop() ?? sign(),
  }
}
