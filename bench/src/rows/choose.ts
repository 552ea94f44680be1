import { randomInt } from 'node:crypto'
import { type ChoosableQuote, chooseQuotes } from '@firmquote/core'
import { pad } from 'viem'
import { bruteForceChoice } from '../../../packages/core/test/bruteForceChoice.ts'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { goals } from '../goals.ts'
import type { Row, RowContext } from '../row.ts'
import { figureOf } from '../stand/figureOf.ts'

const auctionSize = 200
/** As many as the rival can do in the time of a turn: its work grows with the fourth power. */
const rivalSize = 20
const callsPerRound = 40
/** A millionth of the notional, which is odd: even sizes never give it. */
const part = 10n ** 12n + 1n
const limited = { notional: 1_000_001n * part, maxVrtAmount: 100_000n * part }
type Market = { name: string; quotes(): ChoosableQuote[] }

let made = 0
/** A quote of a maker of its own: its size in parts, and what a million of them cost. */
function quote(parts: number, rate: number, more = 0): ChoosableQuote {
  made += 1
  const [hash, maker] = [pad(`0x${made.toString(16)}`, { size: 32 }), pad(`0x${made.toString(16)}`, { size: 20 })]
  const notional = BigInt(parts) * part + BigInt(more)
  return { hash, maker, notional, vrtAmount: (notional * BigInt(rate)) / 1_000_000n }
}

const many = (count: number, make: (index: number) => ChoosableQuote) =>
  Array.from({ length: count }, (_, index) => make(index))
/** Of any fineness. */
const random = (count: number, largest = 1_000_000) =>
  many(count, () => quote(100_000 + randomInt(largest - 100_000), 20_000 + randomInt(60_000), randomInt(2 ** 40)))
const freshAuctions = (count: number) => Array.from({ length: Math.min(count, 64) }, () => random(rivalSize, 400_000))

/** Each is made to defeat something: a bound that compares sizes, or prices, or the order in which quotes are tried. */
const hostile: readonly Market[] = [
  {
    name: 'sums that miss the notional by one',
    quotes: () => many(auctionSize, (index) => quote(249_800 + 2 * index, 50_000)),
  },
  {
    name: 'one rate, sizes about a quarter',
    quotes: () => many(auctionSize, () => quote(200_000 + randomInt(100_000), 50_000, randomInt(2 ** 40))),
  },
  {
    name: 'the larger the dearer, sizes about a quarter',
    quotes: () => many(auctionSize, (index) => quote(240_000 + 101 * index, 40_000 + 101 * index, randomInt(2 ** 40))),
  },
  { name: 'equal quotes', quotes: () => many(auctionSize, () => quote(250_000, 50_000)) },
  {
    name: 'four honest ones behind large dear and small cheap ones',
    quotes: () => [
      ...many(98, (index) => quote(250_001 + index, 99_900)),
      ...many(98, (index) => quote(100_000 + index, 49_900)),
      ...many(4, () => quote(250_000, 50_000)),
    ],
  },
]

/** Choosing what to take from the quotes of an auction. */
export const choose: Row = {
  id: 'choose',
  about:
    'choosing the quotes to take of 200, random ones and ones made to defeat the search, and of 20 against every set',
  async run(context) {
    const randomTimes = measure(context, [{ name: 'random', quotes: () => random(auctionSize) }])
    const hostileTimes = measure(context, hostile)
    const comparison = await compareRates(
      {
        ours: createSide('Firmquote', freshAuctions, (quotes) => chooseQuotes(quotes, limited)),
        theirs: createSide('every set', freshAuctions, (quotes) => bruteForceChoice(quotes, limited)),
      },
      context,
    )
    return {
      findings: [
        {
          what: `choose from ${auctionSize} random quotes`,
          unit: 'ms',
          figure: figureOf(randomTimes.medians),
          ...goals.chooseRandom,
          notes: randomTimes.notes,
        },
        {
          what: `choose from ${auctionSize} quotes that are made to defeat the search, the slowest kind`,
          unit: 'ms',
          figure: figureOf(hostileTimes.medians),
          ...goals.chooseHostile,
          notes: hostileTimes.notes,
        },
        {
          what: `choose from ${rivalSize} random quotes`,
          rival: 'looking at every set of four',
          unit: 'x',
          figure: comparison.ratio,
          ...goals.chooseAgainstEverySet,
          notes: [describeRates(comparison, 'auctions/s')],
        },
      ],
    }
  },
}

/** The median time of a call in each round, of the kind that takes longest; with a limit and without. */
function measure({ rounds }: RowContext, markets: readonly Market[]) {
  const modes = [limited, { notional: limited.notional }]
  const medians: number[] = []
  const notes = new Map<string, string>()
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    let slowest = 0
    for (const { name, quotes } of markets) {
      for (const options of modes) {
        let optimal = 0
        const times: number[] = []
        for (let call = 0; call < callsPerRound; call += 1) {
          const given = quotes()
          const started = performance.now()
          const choice = chooseQuotes(given, options)
          times.push(performance.now() - started)
          if (choice.optimal) optimal += 1
          if (choice.bound.notional < choice.notional) throw new TypeError('A choice passes its own bound.')
        }
        const median = times.sort((a, b) => a - b)[callsPerRound >> 1] ?? Number.NaN
        const mode = 'maxVrtAmount' in options ? 'with a limit' : 'without'
        notes.set(`${name}, ${mode}`, `${median.toFixed(2)} ms, optimal ${optimal} of ${callsPerRound}`)
        slowest = Math.max(slowest, median)
      }
    }
    if (round > 0) medians.push(slowest)
  }
  return { medians, notes: [...notes].map(([what, figures]) => `${what}: ${figures}`) }
}
