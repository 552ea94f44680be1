import type { QuoteState, RFQBroadcast } from '@firmquote/core'
import type { Decline } from './priceRfq.ts'

/**
 * Compares an RFQ with its series on-chain. If the expiries differed, the price would be wrong.
 *
 * @returns a decline, or null if they match.
 */
export function judgeSeries(
  rfq: RFQBroadcast,
  { series, capacity }: Pick<QuoteState, 'series' | 'capacity'>,
): Decline | null {
  if (series === null || series.poolId.toLowerCase() !== rfq.poolId.toLowerCase()) {
    return { kind: 'decline', code: 'SERIES_NOT_FOUND', reason: 'The series does not exist in this pool on-chain.' }
  }
  if (series.expiry !== rfq.expiry) {
    return {
      kind: 'decline',
      code: 'EXPIRY_MISMATCH',
      reason: `The series expires at ${series.expiry} on-chain, but at ${rfq.expiry} in the RFQ.`,
    }
  }
  if ((rfq.minNotional ?? rfq.notional) > capacity) {
    return { kind: 'decline', code: 'CAPACITY_EXCEEDED', reason: `The series has a remaining capacity of ${capacity}.` }
  }
  return null
}
