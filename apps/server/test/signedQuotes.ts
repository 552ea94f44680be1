import { randomBytes } from 'node:crypto'
import {
  type QuoteDomain,
  type QuoteMarketQuote,
  quoteTypedData,
  type SerializedSignedQuote,
  serializeSignedQuote,
} from '@firmquote/core'
import type { Devnet, DevnetAccount } from '@firmquote/devnet'
import { bytesToHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A devnet's quote market. */
export const domainOf = ({ chainId, contracts }: Devnet): QuoteDomain => ({
  chainId,
  quoteMarket: contracts.quoteMarket,
})

/** Returns the current time in Unix seconds. */
export const nowSeconds = (): bigint => BigInt(Math.floor(Date.now() / 1_000))

/** Creates a quote that a devnet's service accepts unless `changes` makes it invalid. */
export function createQuote(devnet: Devnet, maker: DevnetAccount, changes: Partial<QuoteMarketQuote> = {}) {
  const [pool] = devnet.pools
  const series = changes.seriesKey ?? pool.series[1]?.seriesKey
  const quote: QuoteMarketQuote = {
    maker: maker.address,
    taker: zeroAddress,
    poolId: pool.poolId,
    seriesKey: series ?? pool.poolId,
    notional: 1_000_000_000n,
    vrtAmount: 5_000_000n,
    nonce: 0n,
    deadline: nowSeconds() + 3_600n,
    salt: bytesToHex(randomBytes(32)),
    ...changes,
  }
  return quote
}

/** Signs a quote for a market with the maker's key. */
export async function signQuote(
  { privateKey }: DevnetAccount,
  domain: QuoteDomain,
  quote: QuoteMarketQuote,
): Promise<SerializedSignedQuote> {
  const signature = await privateKeyToAccount(privateKey).signTypedData(quoteTypedData(quote, domain))
  return serializeSignedQuote({ ...quote, signature })
}
