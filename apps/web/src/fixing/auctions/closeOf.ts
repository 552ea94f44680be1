import type { RFQResult } from '@firmquote/sdk'

/**
 * When an auction has closed or will close, Unix seconds. The term of its offers counts from then on wherever they are compared, so
 * that every view and every later visit has the same figures. Pure.
 */
export function closeOf({ closedAt, closesAt }: Pick<RFQResult, 'closesAt' | 'closedAt'>): number {
  return Math.floor((closedAt ?? closesAt) / 1000)
}
