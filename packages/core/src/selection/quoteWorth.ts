// Expresses preferences between sets of quotes as a number per quote. A set's worth is the sum of its quotes' worths.

import type { Address } from 'viem'

type OfferedQuote = { maker: Address; notional: bigint; vrtAmount: bigint }
type Room = { room: bigint; funds?: ReadonlyMap<string, bigint> | undefined }

/** Returns the worth under a cost limit: the fixed notional counts first, then the lower cost. */
export function coverageOf(quotes: readonly OfferedQuote[]): (quote: OfferedQuote) => bigint {
  // The scale exceeds the cost of any set.
  const scale = quotes.reduce((total, { vrtAmount }) => total + vrtAmount, 1n)
  return ({ notional, vrtAmount }) => notional * scale - vrtAmount
}

/**
 * Returns the worth without a cost limit: the saving relative to the {@link reserveRate} counts first, then the fixed
 * notional. The worth is negative for a quote that costs more than the reserve.
 *
 * @param byRate The eligible quotes, lowest rate first.
 * @param terms `room` is the notional that can be fixed. `funds` are makers' funds by lower-case address.
 */
export function savingsOver(byRate: readonly OfferedQuote[], terms: Room): (quote: OfferedQuote) => bigint {
  const reserve = reserveRate(byRate, terms)
  return ({ notional, vrtAmount }) => {
    const saved = notional * reserve.cost - vrtAmount * reserve.notional
    // No set fixes more than the room, so no difference in notional outweighs one unit of savings.
    return saved * (terms.room + 1n) + notional
  }
}

const factor = 2n

/** A price per unit: `cost / notional`. */
type Rate = { cost: bigint; notional: bigint }

/**
 * Returns the price of a notional's unfixed part without a cost limit: twice the rate at which half of the room, or of
 * the total offer if that is less, is offered. At most 1.
 *
 * The rate is taken at half of the room because an attacker can place quotes at both ends of the range. Cheap quotes
 * lower the reserve only if they cover half of the room, but then that half can be fixed at almost no cost. Once honest
 * quotes cover half of the room, no number of expensive quotes raises the reserve. If honest quotes cover less than
 * half, expensive quotes raise the reserve only if they offer more than the honest ones.
 */
function reserveRate(byRate: readonly OfferedQuote[], { room, funds }: Room): Rate {
  const fundsLeft = new Map(funds)
  const parts = byRate.map(({ maker, notional }) => {
    const left = fundsLeft.get(maker.toLowerCase())
    if (left === undefined) return notional
    const part = least(notional, left)
    fundsLeft.set(maker.toLowerCase(), left - part)
    return part
  })
  const aim = least(
    room,
    parts.reduce((total, part) => total + part, 0n),
  )
  let reached = 0n
  for (const [index, { notional, vrtAmount }] of byRate.entries()) {
    reached += parts[index] as bigint
    if (2n * reached >= aim) return { cost: least(factor * vrtAmount, notional), notional }
  }
  // No offers.
  return { cost: 0n, notional: 1n }
}

/** Returns the smaller number. */
export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
