import type { RFQRequest } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'

/**
 * What to ask makers for. An offer that is smaller than a tenth is not wanted: four can be taken together, and dust is of no use. It is
 * as small as the service lets an offer be by itself. Raw units. Pure.
 *
 * @param terms.cap the most that all of it may cost.
 * @param terms.taker the account for which alone offers shall be signed.
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
