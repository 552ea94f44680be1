// Why: docs/decisions/0072-lists-by-rate.md
import type { QuotePrice } from '@firmquote/core'

/**
 * A quote's `vrtAmount / notional` as a number, which orders the quotes of a series. Prices that differ by less than
 * about 1e-16 of themselves are equal. PostgreSQL derives the identical number from the stored text.
 */
export function priceOf({ vrtAmount, notional }: QuotePrice): number {
  return Number((vrtAmount * priceScale) / (notional > 0n ? notional : 1n)) / priceDivisor
}

const priceScale = 10n ** 30n
const priceDivisor = 1e30

/**
 * Orders prices of different terms as their effective APYs do: the interest per second, continuously compounded.
 * Infinite above half the notional, where no effective APY exists.
 *
 * @param left the remaining seconds, at least one.
 */
export function costPerSecond(price: number, left: number): number {
  return price > 0.5 ? Number.POSITIVE_INFINITY : -Math.log1p(-price) / left
}

/** The lowest price of a term whose {@link costPerSecond} is above `cost`, or with `orEqual`, at least `cost`. */
export function lowestPrice(cost: number, left: number, { orEqual }: { orEqual: boolean }): number {
  const isAbove = (price: number) => {
    const other = costPerSecond(price, left)
    return orEqual ? other >= cost : other > cost
  }
  // The inverse function is rounded, so a search in its neighborhood finds the exact price.
  const near = -Math.expm1(-cost * left)
  let [low, high] = [Math.min(near * (1 - 1e-12), 0.5), Math.min(near * (1 + 1e-12) + 1e-300, 1)]
  if (!isAbove(high)) return Number.MAX_VALUE
  if (isAbove(low)) return low
  for (;;) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) return high
    if (isAbove(middle)) high = middle
    else low = middle
  }
}

/** A position in a list sorted by rate. `cost` is the quote's {@link costPerSecond}. */
export type RatePosition = { cost: number; series: string; price: number; row: number }

/** Orders positions by cost. Within a series, the order is by price and then by age. */
export function compareRates(a: RatePosition, b: RatePosition): number {
  if (a.series !== b.series && a.cost === b.cost) return a.series < b.series ? -1 : 1
  if (a.series !== b.series) return a.cost < b.cost ? -1 : 1
  return a.price === b.price ? a.row - b.row : a.price - b.price
}
