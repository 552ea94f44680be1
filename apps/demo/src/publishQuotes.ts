import { decodePolicy, priceRfq } from '@firmquote/daemon'
import type { Devnet } from '@firmquote/devnet'
import { type PoolRates, ServiceClient, toPublicRfqId } from '@firmquote/sdk'
import { RfqDaemonClient } from '@firmquote/sdk/node'
import { bytesToHex, maxUint256, parseUnits, zeroAddress } from 'viem'
import { DemoError } from './demoError.ts'

/**
 * Quote sizes in whole loan tokens. A market maker's quotes together use only a small part of its funds, which leaves
 * enough for auctions.
 */
const sizes = ['50000', '250000']
const lifetimeSeconds = 12 * 3_600

/**
 * Publishes standing quotes for every other series of each pool. The daemon prices the quotes according to its policy
 * and signs them. Skips quotes that the policy declines.
 */
export async function publishQuotes(url: string, { chainId, contracts }: Devnet, socketPath: string): Promise<void> {
  const client = new ServiceClient({
    orderbookUrl: url,
    chainId,
    quoteMarketAddress: contracts.quoteMarket,
    interestRatePoolAddress: contracts.interestRatePool,
  })
  const daemon = new RfqDaemonClient({ socketPath })
  try {
    const [pools, maker, document] = await Promise.all([client.getPoolRates(), daemon.getAddress(), daemon.getPolicy()])
    const policy = decodePolicy(document)
    if (!policy.ok) throw new DemoError("Failed to parse the daemon's policy.")
    const now = Math.floor(Date.now() / 1_000)
    const quotes = pools.flatMap((pool) =>
      quoteRequests(pool).flatMap(({ seriesKey, expiry, notional }) => {
        const { poolId, loanToken, floating } = pool
        const answer = priceRfq({
          rfq: { rfqId: toPublicRfqId('0'.repeat(32)), poolId, seriesKey, expiry, notional, openedAt: 0, closesAt: 0 },
          // Floating rates may rise during the hours for which a quote is open, so add two percent of the rate.
          floatingRatePerSec: (floating.ratePerSec * 102n) / 100n,
          decimals: loanToken.decimals,
          policy: policy.value,
          now,
          // The daemon checks its funds when it signs. The nonce is zero on a new chain.
          affordable: maxUint256,
          nonce: 0n,
        })
        if (answer.kind === 'decline') return []
        const { vrtAmount, nonce } = answer
        const deadline = BigInt(Math.min(now + lifetimeSeconds, expiry - 1))
        const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
        return [{ maker, taker: zeroAddress, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt }]
      }),
    )
    await Promise.all(quotes.map(async (quote) => client.submitQuoteMarketQuote(await daemon.signQuote(quote))))
  } finally {
    daemon.close()
  }
}

function quoteRequests({ series, loanToken }: PoolRates) {
  const everyOther = series.filter((_, index) => index % 2 === 0)
  return everyOther.flatMap(({ seriesKey, expiry }) =>
    sizes.map((size) => ({ seriesKey, expiry, notional: parseUnits(size, loanToken.decimals) })),
  )
}
