import { randomInt } from 'node:crypto'
import { type ChoosableQuote, chooseQuotes } from '@firmquote/core'
import { pad } from 'viem'
import { inRounds } from '../compare.ts'
import { type Figure, figureOf } from '../figures.ts'
import type { Row, RowContext } from '../row.ts'

const auctionSize = 200
const callsPerRound = 15
/** About a millionth of the notional. Round sizes are never a multiple of this amount. */
const part = 10n ** 12n + 1n
const notional = 1_000_001n * part

let made = 0
/** Creates a quote from a new maker. `parts` is the quote's size, and `rate` is the cost of a million parts. */
function quote(parts: number, rate: number, more = 0): ChoosableQuote {
  made += 1
  const [hash, maker] = [pad(`0x${made.toString(16)}`, { size: 32 }), pad(`0x${made.toString(16)}`, { size: 20 })]
  const size = BigInt(parts) * part + BigInt(more)
  return { hash, maker, notional: size, vrtAmount: (size * BigInt(rate)) / 1_000_000n }
}

const many = (count: number, make: (index: number) => ChoosableQuote) =>
  Array.from({ length: count }, (_, index) => make(index))
/** Random quotes of arbitrary sizes. */
const random = () =>
  many(auctionSize, () => quote(100_000 + randomInt(900_000), 20_000 + randomInt(60_000), randomInt(2 ** 40)))

/** Markets designed to defeat a strategy: a bound on sizes, a bound on prices, or the search order. */
const hostile: readonly (() => ChoosableQuote[])[] = [
  // Sizes whose sums miss the notional by one part.
  () => many(auctionSize, (index) => quote(249_800 + 2 * index, 50_000)),
  // Equal rates, for sizes of about a quarter of the notional.
  () => many(auctionSize, () => quote(200_000 + randomInt(100_000), 50_000, randomInt(2 ** 40))),
  // Rates that increase with size, for sizes of about a quarter of the notional.
  () => many(auctionSize, (index) => quote(240_000 + 101 * index, 40_000 + 101 * index, randomInt(2 ** 40))),
  // Equal quotes.
  () => many(auctionSize, () => quote(250_000, 50_000)),
  // Four ordinary quotes after many large expensive and small cheap ones.
  () => [
    ...many(98, (index) => quote(250_001 + index, 99_900)),
    ...many(98, (index) => quote(100_000 + index, 49_900)),
    ...many(4, () => quote(250_000, 50_000)),
  ],
]

/** Measures the time to choose which of an auction's quotes to take. */
export const choose: Row = {
  id: 'choose',
  about: 'choosing which of 200 quotes to take, for random quotes and for quotes designed to defeat the search',
  async run(context) {
    return { chooseRandom: await measure(context, [random]), chooseHostile: await measure(context, hostile) }
  },
}

/** Measures each round's median time per call for the slowest market, with and without a limit. */
async function measure(context: RowContext, markets: readonly (() => ChoosableQuote[])[]): Promise<Figure> {
  const slowest = await inRounds(context, async () => {
    const medians = markets.flatMap((drawQuotes) =>
      [{ notional, maxVrtAmount: 100_000n * part }, { notional }].map((options) => {
        const times = Array.from({ length: callsPerRound }, () => {
          const quotes = drawQuotes()
          const started = performance.now()
          const choice = chooseQuotes(quotes, options)
          const time = performance.now() - started
          if (choice.bound.notional < choice.notional) throw new TypeError('A choice exceeds its bound.')
          return time
        })
        return figureOf(times).median
      }),
    )
    return Math.max(...medians)
  })
  return figureOf(slowest)
}
