// Why: docs/decisions/0058-browser-measurements.md
import type { Hex } from 'viem'
import type { FixedPrice } from '../outcome/comparison.ts'
import type { RateAtSize } from './rateAtSize.ts'

/**
 * The basis of a price: the hashes of takeable offers that add up to exactly its amount, `estimate` for the app's own
 * estimate, or `seen` for a maker's price that is not known to be takeable.
 */
export type Standing = readonly [Hex, ...Hex[]] | 'estimate' | 'seen'

/**
 * A price as `data` attributes, with exact amounts in raw units, so that external tools can check the app.
 */
export type PriceAttributes = {
  'data-standing': 'firm' | 'estimate' | 'seen'
  'data-notional': string
  'data-cost': string
  'data-expiry': string
  /** Space-separated hashes of the offers behind a firm price. */
  'data-offer'?: string
}

/** Returns the attributes for an element that shows a price. `expiry` is in Unix seconds. Pure. */
export function priceAttributes(
  { notional, cost, expiry }: Omit<FixedPrice, 'from'>,
  standing: Standing,
): PriceAttributes {
  const isFirm = typeof standing !== 'string'
  return {
    'data-standing': isFirm ? 'firm' : standing,
    'data-notional': notional.toString(),
    'data-cost': cost.toString(),
    'data-expiry': expiry.toString(),
    ...(isFirm && { 'data-offer': standing.join(' ') }),
  }
}

/** Returns the basis of a rate for a given size. Pure. */
export function standingOf(price: RateAtSize): Standing {
  return price.kind === 'firm' ? (price.together ?? [price.hash]) : 'estimate'
}
