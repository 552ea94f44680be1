import { type QuoteMarketQuote, type SignedQuote, serializeSignedQuote } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import { numberToHex, zeroAddress } from 'viem'
import type { Stand } from './startStand.ts'

/** Signs `count` quotes of the makers in turn: all different, all valid for an hour, of all series unless `terms` say which. */
export async function signQuotes(
  { domain, pools, makers }: Pick<Stand, 'domain' | 'pools' | 'makers'>,
  count: number,
  terms: Partial<QuoteMarketQuote> = {},
): Promise<SignedQuote[]> {
  const signers = await Promise.all(makers.map(({ privateKey }) => createQuoteSigner(privateKey, domain)))
  const deadline = BigInt(Math.floor(Date.now() / 1_000) + 3_600)
  const first = BigInt(Math.floor(Math.random() * 2 ** 48)) << 64n
  return Array.from({ length: count }, (_, index) => {
    const signer = signers[index % signers.length]
    const pool = pools[index % pools.length] ?? pools[0]
    if (!signer) throw new TypeError('There is no maker.')
    const quote = {
      maker: signer.address,
      taker: zeroAddress,
      poolId: pool.poolId,
      seriesKey: pool.series[index % pool.series.length]?.seriesKey ?? pool.poolId,
      // The least that a series of the devnet takes.
      notional: 100_000_000n,
      vrtAmount: 1_000n + BigInt(index % 50_000),
      nonce: 0n,
      deadline,
      salt: numberToHex(first + BigInt(index), { size: 32 }),
      ...terms,
    }
    return { ...quote, signature: signer.signQuote(quote) }
  })
}

/** The same as bodies of `POST /api/v1/quotes`. */
export async function signBodies(...args: Parameters<typeof signQuotes>): Promise<string[]> {
  return quoteBodies(await signQuotes(...args))
}

/** A quote of each maker for each of `rfqs` RFQs. */
export async function signAnswers(stand: Stand, rfqs: number): Promise<string[][]> {
  const { makers, series } = stand
  const bodies = await signBodies(stand, rfqs * makers.length, series)
  return Array.from({ length: rfqs }, (_, rfq) => bodies.slice(rfq * makers.length, (rfq + 1) * makers.length))
}

export const quoteBodies = (quotes: readonly SignedQuote[]) =>
  quotes.map((quote) => JSON.stringify(serializeSignedQuote(quote)))
