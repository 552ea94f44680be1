import type { QuoteState, RFQBroadcast } from '@firmquote/core'
import type { Decline } from './priceRfq.ts'

/**
 * Compares an RFQ with the chain: a service that names another expiry than the series has would get the wrong price.
 *
 * @returns why it is declined, or null.
 */
export function judgeSeries(
  rfq: RFQBroadcast,
  { series, capacity }: Pick<QuoteState, 'series' | 'capacity'>,
): Decline | null {
  if (series === null || series.poolId.toLowerCase() !== rfq.poolId.toLowerCase()) {
    return { kind: 'decline', code: 'SERIES_NOT_FOUND', reason: 'The chain has no such series in this pool.' }
  }
  if (series.expiry !== rfq.expiry) {
    return {
      kind: 'decline',
      code: 'EXPIRY_MISMATCH',
      reason: `The series expires at ${series.expiry} on the chain, at ${rfq.expiry} in the RFQ.`,
    }
  }
  if ((rfq.minNotional ?? rfq.notional) > capacity) {
    return { kind: 'decline', code: 'CAPACITY_EXCEEDED', reason: `The series can take ${capacity} more at most.` }
  }
  return null
}
