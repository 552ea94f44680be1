// Why: docs/decisions/0058-browser-measurements.md
import type { Hex } from 'viem'
import type { FixedPrice } from '../outcome/comparison.ts'
import type { RateAtSize } from './rateAtSize.ts'

/**
 * The basis of a price: hashes of takeable offers that add up to exactly its amount; the app's own `estimate`; or
 * `seen`, for a maker's price that cannot be taken or may not be.
 */
export type Standing = readonly [Hex, ...Hex[]] | 'estimate' | 'seen'

/** A price in `data` attributes: exact, amounts in raw units, for external checks of the app. */
export type PriceAttributes = {
  'data-standing': 'firm' | 'estimate' | 'seen'
  'data-notional': string
  'data-cost': string
  'data-expiry': string
  /** Hashes of the offers behind a firm price, separated by spaces. */
  'data-offer'?: string
}

/** The attributes of every element with a price. `expiry` in Unix seconds. Pure. */
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

/** The basis of a rate at a size. Pure. */
export function standingOf(price: RateAtSize): Standing {
  return price.kind === 'firm' ? [price.hash] : 'estimate'
}
