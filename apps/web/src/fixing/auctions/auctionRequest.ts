import type { RFQRequest } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'

/**
 * Builds an RFQ. Its minimum offer size is a tenth of the amount, because at most four offers can be combined. The
 * service raises this size to the series' minimum if that is higher. Amounts are in raw units. Pure.
 *
 * @param terms.cap Maximum cost of the whole amount.
 * @param terms.taker The only account that may take the offers.
 */
export function auctionRequest(terms: {
  poolId: Hex
  seriesKey: Hex
  notional: bigint
  cap?: bigint | undefined
  taker?: Address | undefined
}): RFQRequest {
  const { poolId, seriesKey, notional, cap, taker } = terms
  return {
    poolId,
    seriesKey,
    notional,
    minNotional: (notional + 9n) / 10n,
    ...(cap !== undefined && { maxVrtAmount: cap }),
    ...(taker !== undefined && { taker }),
  }
}
