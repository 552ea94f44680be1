import type { RFQObservation } from '@firmquote/sdk'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'

/** An auction with its observed quotes, the lowest rate first. */
export type ObservedAuction = { best: RFQObservation; quotes: readonly RFQObservation[] }

/** Groups quotes by their auction, in the order of each auction's first quote. Pure. */
export function groupAuctions(rows: readonly RFQObservation[]): ObservedAuction[] {
  const ids = new Set(rows.map(({ rfqId }) => rfqId))
  return [...ids].flatMap((id) => {
    const quotes = rows.filter(({ rfqId }) => rfqId === id).sort((a, b) => observedApy(a) - observedApy(b))
    const [best] = quotes
    return best ? [{ best, quotes }] : []
  })
}

/** Returns a quote's effective APY in percent, as of its auction. Pure. */
export function observedApy(seen: RFQObservation): number {
  return effectiveApyOf(seen, seen.expiry, Math.floor(seen.observedAt / 1000))
}
