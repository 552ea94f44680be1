import type { RFQRequest } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'

/**
 * Builds an RFQ. It rejects offers below a tenth of the amount, since at most four can be combined. If the service
 * allows smaller single offers, that minimum applies. Raw units. Pure.
 *
 * @param terms.cap maximum cost of the whole amount.
 * @param terms.taker the only account that may use the offers.
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
