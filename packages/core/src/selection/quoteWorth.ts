// Expresses the preference between sets of quotes as one number per quote. The worth of a set is the sum over its
// quotes.

import type { Address } from 'viem'

type OfferedQuote = { maker: Address; notional: bigint; vrtAmount: bigint }
type Room = { room: bigint; funds?: ReadonlyMap<string, bigint> | undefined }

/** The worth under a cost limit: the fixed notional counts first, then the lower cost. */
export function coverageOf(quotes: readonly OfferedQuote[]): (quote: OfferedQuote) => bigint {
  // Exceeds the cost of every set.
  const scale = quotes.reduce((total, { vrtAmount }) => total + vrtAmount, 1n)
  return ({ notional, vrtAmount }) => notional * scale - vrtAmount
}

/**
 * The worth without a cost limit: the saving against the {@link reserveRate} counts first, then the fixed notional.
 * Negative for a quote that costs more than the reserve.
 *
 * @param byRate The eligible quotes, lowest rate first.
 * @param terms `room` is the notional that can be fixed, `funds` the funds of makers by lower-case address.
 */
export function savingsOver(byRate: readonly OfferedQuote[], terms: Room): (quote: OfferedQuote) => bigint {
  const reserve = reserveRate(byRate, terms)
  return ({ notional, vrtAmount }) => {
    const saved = notional * reserve.cost - vrtAmount * reserve.notional
    // No set fixes more than the room, so the notional never outweighs a unit of saving.
    return saved * (terms.room + 1n) + notional
  }
}

const factor = 2n

/** A price per unit: `cost / notional`. */
type Rate = { cost: bigint; notional: bigint }

/**
 * The price of the unfixed part of a notional without a cost limit: twice the rate at which half of the room, or of the
 * whole offer if that is less, is offered. At most 1.
 *
 * Half, because an attacker can place quotes at both ends. Cheap quotes lower the reserve only if they cover half of
 * the room, and then half of it can be fixed at almost no cost. Expensive quotes do not raise it once the others offer
 * half of the room, however many there are. If the others offer less, expensive quotes raise it only up to the total
 * offer.
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
  // There are no offers.
  return { cost: 0n, notional: 1n }
}

/** Returns the smaller number. */
export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
