import { randomInt } from 'node:crypto'
import { type ChoosableQuote, chooseQuotes } from '@firmquote/core'
import { pad } from 'viem'
import { inRounds } from '../compare.ts'
import { type Figure, figureOf } from '../figures.ts'
import type { Row, RowContext } from '../row.ts'

const auctionSize = 200
const callsPerRound = 15
/** An odd fraction of the notional, about a millionth, which round sizes never produce. */
const part = 10n ** 12n + 1n
const notional = 1_000_001n * part

let made = 0
/** A quote by its own maker: its size in parts, and the cost of a million parts. */
function quote(parts: number, rate: number, more = 0): ChoosableQuote {
  made += 1
  const [hash, maker] = [pad(`0x${made.toString(16)}`, { size: 32 }), pad(`0x${made.toString(16)}`, { size: 20 })]
  const size = BigInt(parts) * part + BigInt(more)
  return { hash, maker, notional: size, vrtAmount: (size * BigInt(rate)) / 1_000_000n }
}

const many = (count: number, make: (index: number) => ChoosableQuote) =>
  Array.from({ length: count }, (_, index) => make(index))
/** Random sizes of any granularity. */
const random = () =>
  many(auctionSize, () => quote(100_000 + randomInt(900_000), 20_000 + randomInt(60_000), randomInt(2 ** 40)))

/** Each one is built to defeat a strategy: a bound on sizes, a bound on prices, or the order of the search. */
const hostile: readonly (() => ChoosableQuote[])[] = [
  // Sums that miss the notional by one.
  () => many(auctionSize, (index) => quote(249_800 + 2 * index, 50_000)),
  // One rate, sizes around a quarter.
  () => many(auctionSize, () => quote(200_000 + randomInt(100_000), 50_000, randomInt(2 ** 40))),
  // Larger is more expensive, sizes around a quarter.
  () => many(auctionSize, (index) => quote(240_000 + 101 * index, 40_000 + 101 * index, randomInt(2 ** 40))),
  // Equal quotes.
  () => many(auctionSize, () => quote(250_000, 50_000)),
  // Four honest ones after large expensive and small cheap ones.
  () => [
    ...many(98, (index) => quote(250_001 + index, 99_900)),
    ...many(98, (index) => quote(100_000 + index, 49_900)),
    ...many(4, () => quote(250_000, 50_000)),
  ],
]

/** Chooses the quotes to take from an auction. */
export const choose: Row = {
  id: 'choose',
  about: 'choosing the quotes to take of 200, random ones and ones made to defeat the search',
  async run(context) {
    return { chooseRandom: await measure(context, [random]), chooseHostile: await measure(context, hostile) }
  },
}

/** The median time of a call in each round for the slowest market, with and without a limit. */
async function measure(context: RowContext, markets: readonly (() => ChoosableQuote[])[]): Promise<Figure> {
  const slowest = await inRounds(context, async () => {
    const medians = markets.flatMap((drawQuotes) =>
      [{ notional, maxVrtAmount: 100_000n * part }, { notional }].map((options) => {
        const times = Array.from({ length: callsPerRound }, () => {
          const quotes = drawQuotes()
          const started = performance.now()
          const choice = chooseQuotes(quotes, options)
          const time = performance.now() - started
          if (choice.bound.notional < choice.notional) throw new TypeError('A choice exceeds its own bound.')
          return time
        })
        return figureOf(times).median
      }),
    )
    return Math.max(...medians)
  })
  return figureOf(slowest)
}
