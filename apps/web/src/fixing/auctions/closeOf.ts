import type { RFQResult } from '@firmquote/sdk'

/**
 * Returns when an auction closed or will close, in Unix seconds. Offers are compared over the term starting at this
 * time, so that all views show the same figures. Pure.
 */
export function closeOf({ closedAt, closesAt }: Pick<RFQResult, 'closesAt' | 'closedAt'>): number {
  return Math.floor((closedAt ?? closesAt) / 1000)
}
