// Why: docs/decisions/0070-compared-at-maturity.md
import { type QuotePrice, quoteEffectiveApy } from '@firmquote/sdk'

/**
 * Returns a price's effective APY in percent. Returns infinity for a price that pays off at no floating rate up to a
 * million percent, and for one of nothing or after the term. Pure.
 *
 * @param expiry Unix seconds.
 * @param at Unix seconds.
 */
export function effectiveApyOf(price: QuotePrice, expiry: number, at: number): number {
  if (price.notional === 0n || expiry <= at) return Number.POSITIVE_INFINITY
  return quoteEffectiveApy(price, expiry, at) ?? Number.POSITIVE_INFINITY
}
