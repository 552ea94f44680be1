// Why: docs/decisions/0058-browser-measurements.md
import type { Hex } from 'viem'
import type { FixedPrice } from '../outcome/comparison.ts'
import type { RateAtSize } from './rateAtSize.ts'

/**
 * What stands behind a price: offers that can be taken and are together for exactly its amount, at least one of them; an `estimate`
 * of the page; or that it was `seen`: a maker has said it, but it cannot be taken, or is not known to be.
 */
export type Standing = readonly [Hex, ...Hex[]] | 'estimate' | 'seen'

/** A price in the page's `data` attributes: exact, amounts in raw units, for those who check what the page says. */
export type PriceAttributes = {
  'data-standing': 'firm' | 'estimate' | 'seen'
  'data-notional': string
  'data-cost': string
  'data-expiry': string
  /** The hashes of the offers behind a firm price, separated by spaces. */
  'data-offer'?: string
}

/** The attributes that every element with a price carries. `expiry` in Unix seconds. Pure. */
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

/** What stands behind a rate at a size. Pure. */
export function standingOf(price: RateAtSize): Standing {
  return price.kind === 'firm' ? [price.hash] : 'estimate'
}
