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

/** The notional to fix, and its constraints. Amounts are raw units of the loan token. */
export type ChooseOptions = {
  /** The notional to fix. The chosen quotes' total notional never exceeds this amount. */
  notional: bigint
  /** Maximum cost of the whole notional. Each quote must stay within its pro-rata share of this cost. */
  maxVrtAmount?: bigint
  /** The series' remaining capacity. */
  capacity?: bigint
  /** Makers' funds by lower-case address. The total of a maker's chosen quotes never exceeds its funds. */
  funds?: ReadonlyMap<string, bigint>
  /** Maximum number of quotes to take: 1 to 4. Default 4. */
  maxTakes?: number
  /** Maximum number of search steps if there are more than 20 quotes. Default 3,000. */
  maxSteps?: number
}

/** The quotes to take, each in full, best rate first. */
export type Choice<Quote extends ChoosableQuote> = {
  quotes: Quote[]
  /** Total notional of the quotes. */
  notional: bigint
  /** Total cost of the quotes. */
  cost: bigint
  /**
   * Whether the choice is proven optimal. Always true for up to 20 quotes. If the search reached `maxSteps`, this is
   * false, and the choice is at least as good as the best among the 20 quotes with the lowest rates.
   */
  optimal: boolean
  /**
   * Limits on any better choice, which fixes at most `notional` and, if it fixes the same amount as this choice, costs
   * at least `cost`.
   */
  bound: { notional: bigint; cost: bigint }
}

const mostTakes = 4
/**
 * For up to this many quotes, the search takes at most 7,775 steps. The four rounds look for sets of one to four
 * quotes, with one step for every set of at most that many quotes.
 */
const exactCount = 20
const defaultSteps = 3_000

/**
 * Chooses the cheapest quotes to fix a notional, each taken in full. The result is optimal for up to 20 eligible
 * quotes. For more, see `optimal` and `bound`.
 *
 * With `maxVrtAmount`, a quote is eligible if it costs at most its pro-rata share. The set that fixes the largest
 * notional wins. If several sets fix the same amount, the cheapest wins.
 *
 * Without `maxVrtAmount`, an expensive quote must not win by size alone. The unfixed part is priced at a reserve rate,
 * and the set with the lowest total cost wins. The reserve rate is twice the rate at which half of the notional (or
 * half of the total offer, if that is less) is offered, capped at 1. A larger set therefore never pays more than the
 * reserve rate for the added part.
 *
 * A quote that costs its notional or more is never eligible, because the payout never exceeds the notional. Ties go to
 * the choice with fewer quotes, then to the one with larger quotes (or, without a limit, quotes that save more), and
 * then to the one with lower hashes. The order of the input does not matter. Quotes with the same hash are counted
 * once.
 *
 * @param quotes The quotes to choose from.
 * @throws {InvalidInputError} if an amount is not a bigint, `maxTakes` is not 1 to 4, or `maxSteps` is not a positive
 * integer.
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

/**
 * Searches the quotes with the lowest rates first, so that quotes crafted to slow down the search cannot hide the best
 * choice among them.
 */
function search<Quote extends ChoosableQuote>(
  byRate: Item<Quote>[],
  groupRooms: bigint[],
  { room, most, steps }: Terms,
) {
  const find = (given: Item<Quote>[], atLeast: bigint, maxSteps: number) => {
    // Quotes of equal worth have equal terms and are already sorted by hash.
    const items = given.toSorted((a, b) => compare(b.worth, a.worth))
    const { picked, complete } = findBestSubset(items, { room, groupRooms, most, atLeast, steps: maxSteps })
    return { complete, picked: picked.map((index) => items[index] as Item<Quote>) }
  }
  const first = find(byRate.slice(0, exactCount), 1n, Number.POSITIVE_INFINITY)
  const worth = first.picked.reduce((total, item) => total + item.worth, 0n)
  const all = byRate.length > exactCount ? find(byRate, worth, steps) : first
  // If two sets are equally good, the first in the order of all quotes wins.
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
    throw new InvalidInputError('must be a positive integer.', { path: 'maxSteps', given: steps })
  }
  const room = capacity !== undefined && capacity < notional ? capacity : notional
  return { notional, maxVrtAmount, funds, room, most, steps }
}

/** Returns the eligible quotes without duplicates, sorted by price and then by hash. */
function countedQuotes<Quote extends ChoosableQuote>(quotes: readonly Quote[], terms: Terms): Quote[] {
  const { notional, maxVrtAmount, room, funds } = terms
  const counted = quotes.filter((quote) => {
    if (typeof quote.notional !== 'bigint' || typeof quote.vrtAmount !== 'bigint') {
      throw new InvalidInputError('must have bigint amounts. Use deserializeSignedQuote to convert them.', {
        path: 'quotes',
        given: quote.notional,
      })
    }
    if (quote.notional > room) return false
    // This check also rejects every quote without a positive notional.
    if (quote.vrtAmount < 0n || quote.vrtAmount >= quote.notional) return false
    const limit = funds?.get(quote.maker.toLowerCase())
    if (limit !== undefined && quote.notional > limit) return false
    return maxVrtAmount === undefined || quote.vrtAmount * notional <= maxVrtAmount * quote.notional
  })
  const seen = new Set<string>()
  // If a hash occurs with different terms, keep the best terms, regardless of their order.
  return counted.sort(compareQuotes).filter(({ hash }) => {
    const isNew = !seen.has(hash.toLowerCase())
    seen.add(hash.toLowerCase())
    return isNew
  })
}

/** Groups a maker's quotes if its funds do not cover all of them. */
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

/** Returns the limits on any choice. See `bound` of {@link Choice}. */
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
