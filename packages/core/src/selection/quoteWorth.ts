// What makes one set of quotes better than another, as one number for each quote: a set is worth what its quotes are together.

import type { Address } from 'viem'

type OfferedQuote = { maker: Address; notional: bigint; vrtAmount: bigint }
type Room = { room: bigint; funds?: ReadonlyMap<string, bigint> | undefined }

/** For where the whole may cost up to a limit: what a quote fixes counts first, then what it costs, less being worth more. */
export function coverageOf(quotes: readonly OfferedQuote[]): (quote: OfferedQuote) => bigint {
  // No set costs as much.
  const scale = quotes.reduce((total, { vrtAmount }) => total + vrtAmount, 1n)
  return ({ notional, vrtAmount }) => notional * scale - vrtAmount
}

/**
 * For where nobody has set a limit: what a quote saves against the {@link reserveRate} counts first, then what it fixes. Below zero
 * for a quote that costs more.
 *
 * @param byRate the quotes that count, the lowest rate first.
 * @param terms `room` is what can be fixed, `funds` what each maker's funds cover, by lower-case address.
 */
export function savingsOver(byRate: readonly OfferedQuote[], terms: Room): (quote: OfferedQuote) => bigint {
  const reserve = reserveRate(byRate, terms)
  return ({ notional, vrtAmount }) => {
    const saved = notional * reserve.cost - vrtAmount * reserve.notional
    // No set fixes more than the room, and no quote makes up for what it does not save.
    return saved * (terms.room + 1n) + notional
  }
}

const factor = 2n

/** A price for a unit: `cost / notional`. */
type Rate = { cost: bigint; notional: bigint }

/**
 * What the unfixed part of a notional counts as where nobody has set a limit: twice the rate at which half of the room, or of what
 * is offered if that is less, is offered; at most one.
 *
 * Half, because both ends can be bought. A few cheap quotes do not lower it, unless they are for half of the room, and then
 * fixing half of it costs next to nothing. Dear ones do not raise it once the others offer half of the room, however many they
 * are; where they offer less, only as many as all of them together do.
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
  // Nothing is offered.
  return { cost: 0n, notional: 1n }
}

/** The smaller one. */
export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
