import { randomInt } from 'node:crypto'
import { type ChoosableQuote, chooseQuotes } from '@firmquote/core'
import { pad } from 'viem'
import { inRounds } from '../compare.ts'
import { type Figure, figureOf } from '../figures.ts'
import type { Row, RowContext } from '../row.ts'

const auctionSize = 200
const callsPerRound = 15
/** A millionth of the notional, which is odd: even sizes never give it. */
const part = 10n ** 12n + 1n
const notional = 1_000_001n * part

let made = 0
/** A quote of a maker of its own: its size in parts, and what a million of them cost. */
function quote(parts: number, rate: number, more = 0): ChoosableQuote {
  made += 1
  const [hash, maker] = [pad(`0x${made.toString(16)}`, { size: 32 }), pad(`0x${made.toString(16)}`, { size: 20 })]
  const size = BigInt(parts) * part + BigInt(more)
  return { hash, maker, notional: size, vrtAmount: (size * BigInt(rate)) / 1_000_000n }
}

const many = (count: number, make: (index: number) => ChoosableQuote) =>
  Array.from({ length: count }, (_, index) => make(index))
/** Of any fineness. */
const random = () =>
  many(auctionSize, () => quote(100_000 + randomInt(900_000), 20_000 + randomInt(60_000), randomInt(2 ** 40)))

/** Each is made to defeat something: a bound that compares sizes, or prices, or the order in which quotes are tried. */
const hostile: readonly (() => ChoosableQuote[])[] = [
  // Sums that miss the notional by one.
  () => many(auctionSize, (index) => quote(249_800 + 2 * index, 50_000)),
  // One rate, sizes about a quarter.
  () => many(auctionSize, () => quote(200_000 + randomInt(100_000), 50_000, randomInt(2 ** 40))),
  // The larger the dearer, sizes about a quarter.
  () => many(auctionSize, (index) => quote(240_000 + 101 * index, 40_000 + 101 * index, randomInt(2 ** 40))),
  // Equal quotes.
  () => many(auctionSize, () => quote(250_000, 50_000)),
  // Four honest ones after large dear and small cheap ones.
  () => [
    ...many(98, (index) => quote(250_001 + index, 99_900)),
    ...many(98, (index) => quote(100_000 + index, 49_900)),
    ...many(4, () => quote(250_000, 50_000)),
  ],
]

/** Choosing what to take from the quotes of an auction. */
export const choose: Row = {
  id: 'choose',
  about: 'choosing the quotes to take of 200, random ones and ones made to defeat the search',
  async run(context) {
    return { chooseRandom: await measure(context, [random]), chooseHostile: await measure(context, hostile) }
  },
}

/** The median time of a call in each round, of the market that takes longest; with a limit and without. */
async function measure(context: RowContext, markets: readonly (() => ChoosableQuote[])[]): Promise<Figure> {
  const slowest = await inRounds(context, async () => {
    const medians = markets.flatMap((drawQuotes) =>
      [{ notional, maxVrtAmount: 100_000n * part }, { notional }].map((options) => {
        const times = Array.from({ length: callsPerRound }, () => {
          const quotes = drawQuotes()
          const started = performance.now()
          const choice = chooseQuotes(quotes, options)
          const time = performance.now() - started
          if (choice.bound.notional < choice.notional) throw new TypeError('A choice passes its own bound.')
          return time
        })
        return figureOf(times).median
      }),
    )
    return Math.max(...medians)
  })
  return figureOf(slowest)
}
