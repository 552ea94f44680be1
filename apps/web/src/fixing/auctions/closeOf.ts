import type { RFQResult } from '@firmquote/sdk'

/**
 * Returns the time at which an auction closed or will close, in Unix seconds. The app compares offers over the term
 * that starts at this time, so that all views show the same figures. Pure.
 */
export function closeOf({ closedAt, closesAt }: Pick<RFQResult, 'closesAt' | 'closedAt'>): number {
  return Math.floor((closedAt ?? closesAt) / 1000)
}
