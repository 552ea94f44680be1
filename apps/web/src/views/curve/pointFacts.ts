import { formatDuration, formatRate, formatTimestamp } from '@firmquote/sdk'
import { formatAmount, formatCost } from '../../service/formatAmount.ts'
import type { Token } from '../../service/serviceContext.ts'
import type { CurvePoint } from './curvePoints.ts'

/** A point in words. */
export type PointFacts = {
  /** Short: what it is, and its rate. */
  label: string
  /** The rest, each with its name. */
  facts: readonly { name: string; value: string }[]
}

/**
 * Puts a point into words.
 *
 * @param day its maturity as a day.
 * @param now Unix milliseconds.
 */
export function pointFacts(point: CurvePoint, token: Token, day: string, now: number): PointFacts {
  const { kind, apr, cost, notional, depth, at, validUntil } = point
  const amount = (value: bigint) => `${formatAmount(value, token)} ${token.symbol}`
  const firm = kind === 'firm'
  return {
    label: `${firm ? 'Firm quote' : 'Indicative'}, ${day}, ${formatRate(apr)} APR`,
    facts: [
      { name: firm ? 'Total cost' : 'Total cost as seen', value: `${formatCost(cost, token)} ${token.symbol}` },
      { name: 'Size', value: amount(notional) },
      { name: 'Depth', value: `${count(depth.quotes, 'quote')}, ${amount(depth.notional)}` },
      { name: 'Makers', value: `${depth.makers}` },
      { name: firm ? 'Published' : 'Seen', value: `${formatDuration(Math.max(0, now - at) / 1000, { units: 1 })} ago` },
      ...(validUntil === undefined ? [] : [{ name: 'Valid until', value: formatTimestamp(validUntil) }]),
    ],
  }
}

/** `1 quote`, `2 quotes`. */
export function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`
}
