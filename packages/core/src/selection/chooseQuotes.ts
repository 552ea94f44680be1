// Why: docs/decisions/0028-choosing-the-best-quotes.md
import type { Address, Hex } from 'viem'
import { InvalidInputError } from '../errors.ts'
import { comparePrices } from '../quote/quotePrice.ts'
import { notUint256 } from '../values/checkedUint256.ts'
import { guardInput } from '../values/guardInput.ts'
import { findBestSubset, type SubsetItem } from './bestSubset.ts'
import { coverageOf, least, savingsOver } from './quoteWorth.ts'

/** A quote that {@link chooseQuotes} may choose. Amounts are raw units of the loan token. */
export type ChoosableQuote = { hash: Hex; maker: Address; notional: bigint; vrtAmount: bigint }

/** What is to be fixed, and on which terms. Amounts are raw units of the loan token. */
export type ChooseOptions = {
  /** What is to be fixed: the chosen notionals are never more together. */
  notional: bigint
  /** The most that the whole notional may cost; each quote is held to its own share of it. */
  maxVrtAmount?: bigint
  /** What the series can still take. */
  capacity?: bigint
  /** What each maker's funds cover, by lower-case address: one maker's quotes together are never above it. */
  funds?: ReadonlyMap<string, bigint>
  /** How many quotes may be taken: 1 to 4, 4 by default. */
  maxTakes?: number
  /** After how many steps the search ends where there are more than 20 quotes, 3,000 by default. */
  maxSteps?: number
}

/** The quotes to take, each whole, best rate first. */
export type Choice<Quote extends ChoosableQuote> = {
  quotes: Quote[]
  /** What they fix together. */
  notional: bigint
  /** What they cost together. */
  cost: bigint
  /**
   * Whether no better choice exists: always true of up to 20 quotes, false where `maxSteps` ended the search. Then it is still
   * the best that the 20 quotes with the lowest rates give, or better.
   */
  optimal: boolean
  /** What a better choice could reach: it fixes at most `notional`, and if it fixes as much as this one it costs at least `cost`. */
  bound: { notional: bigint; cost: bigint }
}

const mostTakes = 4
/** So many quotes need at most 7,775 steps: one for each set of at most four, in each of the rounds of one to four. */
const exactCount = 20
const defaultSteps = 3_000

/**
 * The cheapest way to fix a notional with whole quotes. It is exact for 20 quotes that count; of more, see `optimal` and `bound`.
 *
 * With `maxVrtAmount`, a quote counts if it costs no more than its share of it. Of the sets that keep to the options, the one that
 * fixes most is chosen, and of these the one that costs least.
 *
 * Without it, a dear quote must not win by its size alone: what stays unfixed counts as if it cost twice the rate at which half of
 * the notional is offered (half of all that is offered, if that is less), but no more than itself, and the set with the lowest sum
 * is chosen. So what a larger set fixes more is never paid with more than that.
 *
 * A quote that costs its notional or more never counts, since the payout is never more. Of choices that are equal in this, the one
 * with fewer quotes is chosen, then the one with the larger quotes (without a limit: those that save more), then the one with the
 * lower hashes: the order of the input does not matter. Quotes with the same hash are one.
 *
 * @throws {InvalidInputError} when an amount is not a bigint, `maxTakes` is not 1 to 4, or `maxSteps` not a whole number above 0.
 * @example
 * ```ts
 * const quotes = [
 *   { hash: '0xa1', maker: '0x0a', notional: 100n, vrtAmount: 6n },
 *   { hash: '0xb1', maker: '0x0b', notional: 60n, vrtAmount: 3n },
 *   { hash: '0xc1', maker: '0x0c', notional: 40n, vrtAmount: 1n },
 * ] as const
 * chooseQuotes(quotes, { notional: 100n, maxVrtAmount: 10n }).quotes.map(({ hash }) => hash) // ['0xc1', '0xb1']
 * ```
 */
export function chooseQuotes<Quote extends ChoosableQuote>(
  quotes: readonly Quote[],
  options: ChooseOptions,
): Choice<Quote> {
  const terms = guardInput('options', () => checkOptions(options))
  const usable = guardInput('quotes', () => countedQuotes(quotes, terms))
  const worthOf = terms.maxVrtAmount === undefined ? savingsOver(usable, terms) : coverageOf(usable)
  const groups = groupMakers(usable, terms.funds)
  const items = usable
    .map((quote) => ({
      quote,
      size: quote.notional,
      worth: worthOf(quote),
      group: groups.of.get(quote.maker.toLowerCase()) ?? -1,
    }))
    .filter(({ worth }) => worth > 0n)
  const { optimal, chosen } = search(items, groups.rooms, terms)
  const [notional, cost] = [sumOf(chosen, 'notional'), sumOf(chosen, 'vrtAmount')]
  return {
    quotes: chosen.sort(compareQuotes),
    notional,
    cost,
    optimal,
    bound: optimal ? { notional, cost } : boundOf(usable, terms, notional),
  }
}

type Item<Quote> = SubsetItem & { quote: Quote }

/** Looks at those with the lowest rates first: quotes that are made to keep the search busy cannot hide what these give. */
function search<Quote extends ChoosableQuote>(
  byRate: Item<Quote>[],
  groupRooms: bigint[],
  { room, most, steps }: Terms,
) {
  const find = (given: Item<Quote>[], atLeast: bigint, maxSteps: number) => {
    // Of the same worth are only those of the same terms, which are in the order of their hashes already.
    const items = given.toSorted((a, b) => compare(b.worth, a.worth))
    const { picked, complete } = findBestSubset(items, { room, groupRooms, most, atLeast, steps: maxSteps })
    return { complete, picked: picked.map((index) => items[index] as Item<Quote>) }
  }
  const first = find(byRate.slice(0, exactCount), 1n, Number.POSITIVE_INFINITY)
  const worth = first.picked.reduce((total, item) => total + item.worth, 0n)
  const all = byRate.length > exactCount ? find(byRate, worth, steps) : first
  // An equal set that comes first in the order of all takes the place of the first one.
  const { picked } = all.picked.length > 0 ? all : first
  return { optimal: all.complete, chosen: picked.map(({ quote }) => quote) }
}

type Terms = {
  notional: bigint
  maxVrtAmount: bigint | undefined
  funds: ChooseOptions['funds']
  room: bigint
  most: number
  steps: number
}

function checkOptions({ notional, maxVrtAmount, capacity, funds, maxTakes, maxSteps }: ChooseOptions): Terms {
  const amounts = { notional, maxVrtAmount, capacity }
  for (const [path, given] of Object.entries(amounts)) {
    if (typeof given === 'bigint' || (given === undefined && path !== 'notional')) continue
    throw notUint256(given, path)
  }
  const [most, steps] = [maxTakes ?? mostTakes, maxSteps ?? defaultSteps]
  if (!Number.isInteger(most) || most < 1 || most > mostTakes) {
    throw new InvalidInputError(`must be 1 to ${mostTakes}.`, { path: 'maxTakes', given: most })
  }
  if (!Number.isSafeInteger(steps) || steps < 1) {
    throw new InvalidInputError('must be a whole number above zero.', { path: 'maxSteps', given: steps })
  }
  const room = capacity !== undefined && capacity < notional ? capacity : notional
  return { notional, maxVrtAmount, funds, room, most, steps }
}

/** The quotes that can be part of a choice, each once, by price and then by hash. */
function countedQuotes<Quote extends ChoosableQuote>(quotes: readonly Quote[], terms: Terms): Quote[] {
  const { notional, maxVrtAmount, room, funds } = terms
  const counted = quotes.filter((quote) => {
    if (typeof quote.notional !== 'bigint' || typeof quote.vrtAmount !== 'bigint') {
      throw new InvalidInputError('must have their amounts as bigints; deserializeSignedQuote restores them.', {
        path: 'quotes',
        given: quote.notional,
      })
    }
    if (quote.notional > room) return false
    // This holds for every notional that is not above zero, too.
    if (quote.vrtAmount < 0n || quote.vrtAmount >= quote.notional) return false
    const limit = funds?.get(quote.maker.toLowerCase())
    if (limit !== undefined && quote.notional > limit) return false
    return maxVrtAmount === undefined || quote.vrtAmount * notional <= maxVrtAmount * quote.notional
  })
  const seen = new Set<string>()
  // Where one hash comes with several terms, in whatever order, the best of these count.
  return counted.sort(compareQuotes).filter(({ hash }) => {
    const isNew = !seen.has(hash.toLowerCase())
    seen.add(hash.toLowerCase())
    return isNew
  })
}

/** The makers whose funds do not cover all of their quotes. */
function groupMakers(usable: readonly ChoosableQuote[], funds: Terms['funds']) {
  const totals = new Map<string, bigint>()
  for (const { maker, notional } of usable) {
    const key = maker.toLowerCase()
    totals.set(key, (totals.get(key) ?? 0n) + notional)
  }
  const of = new Map<string, number>()
  const rooms: bigint[] = []
  for (const [maker, total] of totals) {
    const limit = funds?.get(maker)
    if (limit === undefined || limit >= total) continue
    of.set(maker, rooms.length)
    rooms.push(limit)
  }
  return { of, rooms }
}

/** What no choice can pass: see `bound` of {@link Choice}. */
function boundOf(
  usable: readonly ChoosableQuote[],
  { room, most }: Terms,
  fixed: bigint,
): Choice<ChoosableQuote>['bound'] {
  const largest = usable.map(({ notional }) => notional).sort((a, b) => compare(b, a))
  const reach = largest.slice(0, most).reduce((total, notional) => total + notional, 0n)
  let [cost, rest] = [0n, fixed]
  for (const { notional, vrtAmount } of usable) {
    const part = least(notional, rest)
    cost += (vrtAmount * part) / notional
    rest -= part
  }
  return { notional: least(room, reach), cost }
}

function sumOf(quotes: readonly ChoosableQuote[], field: 'notional' | 'vrtAmount'): bigint {
  return quotes.reduce((total, quote) => total + quote[field], 0n)
}

function compareQuotes(a: ChoosableQuote, b: ChoosableQuote): number {
  return comparePrices(a, b) || compareHashes(a, b)
}

function compareHashes(a: ChoosableQuote, b: ChoosableQuote): number {
  return compare(a.hash.toLowerCase(), b.hash.toLowerCase())
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
