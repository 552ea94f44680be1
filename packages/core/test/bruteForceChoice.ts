import type { ChoosableQuote, ChooseOptions } from '../src/selection/chooseQuotes.ts'

/** The result of {@link bruteForceChoice}, including statistics. */
export type BruteForceChoice<Quote> = {
  quotes: Quote[]
  notional: bigint
  cost: bigint
  /** Number of sets with the same notional and cost. */
  ties: number
  /** Whether a set was rejected only because of a maker's funds. */
  fundsBound: boolean
}

/**
 * A reference implementation of `chooseQuotes` that tries every set of at most `maxTakes` quotes, with exact fractions
 * and without pruning or ordering. Only feasible for few quotes.
 */
export function bruteForceChoice<Quote extends ChoosableQuote>(
  quotes: readonly Quote[],
  { notional, maxVrtAmount, capacity = notional, funds, maxTakes = 4 }: ChooseOptions,
): BruteForceChoice<Quote> {
  const room = capacity < notional ? capacity : notional
  const known = new Map(quotes.map((quote) => [quote.hash.toLowerCase(), quote]))
  const fundsOf = (maker: string) => funds?.get(maker.toLowerCase())
  const counted = [...known.values()].filter(
    (quote) =>
      quote.notional > 0n &&
      quote.notional <= room &&
      quote.vrtAmount < quote.notional &&
      quote.notional <= (fundsOf(quote.maker) ?? quote.notional) &&
      (maxVrtAmount === undefined || quote.vrtAmount * notional <= maxVrtAmount * quote.notional),
  )
  const reserve = maxVrtAmount === undefined ? reserveOf(counted, room, fundsOf) : null
  /** The total price, with the unfixed part at the reserve rate, then the unfixed notional. */
  const priceOf = (fixed: bigint, cost: bigint) =>
    reserve ? cost * reserve.notional + (room - fixed) * reserve.cost : -fixed
  let best = { quotes: [] as Quote[], fixed: 0n, cost: 0n, price: priceOf(0n, 0n) }
  let ties = 0
  let fundsBound = false
  const byPlace = (a: Quote, b: Quote): number => {
    const saved = (quote: Quote) =>
      reserve ? quote.notional * reserve.cost - quote.vrtAmount * reserve.notional : quote.notional
    return (
      order(saved(b), saved(a)) ||
      order(b.notional, a.notional) ||
      order(a.vrtAmount, b.vrtAmount) ||
      order(a.hash, b.hash)
    )
  }
  const sorted = counted.sort(byPlace)

  const isFunded = (chosen: Quote[]) =>
    chosen.every(({ maker }) => {
      const limit = fundsOf(maker)
      const own = chosen.filter((quote) => quote.maker.toLowerCase() === maker.toLowerCase())
      return limit === undefined || own.reduce((sum, quote) => sum + quote.notional, 0n) <= limit
    })

  const visit = (from: number, quotes: Quote[], fixed: bigint, cost: bigint) => {
    const price = priceOf(fixed, cost)
    const compared = order(price, best.price) || order(best.fixed, fixed) || order(cost, best.cost)
    if (compared === 0) ties += 1
    if (compared < 0) ties = 0
    // Sets of the same length are visited in index order.
    if (compared < 0 || (compared === 0 && quotes.length < best.quotes.length)) best = { quotes, fixed, cost, price }
    if (quotes.length === maxTakes) return
    for (let index = from; index < sorted.length; index += 1) {
      const quote = sorted[index] as Quote
      if (fixed + quote.notional > room) continue
      const next = [...quotes, quote]
      if (funds && !isFunded(next)) fundsBound = true
      else visit(index + 1, next, fixed + quote.notional, cost + quote.vrtAmount)
    }
  }
  visit(0, [], 0n, 0n)
  return { quotes: best.quotes, notional: best.fixed, cost: best.cost, ties, fundsBound }
}

/** Returns twice the rate at which half of the room, or of the total offer if that is less, is offered. */
function reserveOf(counted: ChoosableQuote[], room: bigint, fundsOf: (maker: string) => bigint | undefined) {
  const byRate = counted.toSorted(
    (a, b) =>
      order(a.vrtAmount * b.notional, b.vrtAmount * a.notional) ||
      order(b.notional, a.notional) ||
      order(a.hash, b.hash),
  )
  const offeredBy = (quotes: ChoosableQuote[]) => {
    const makers = new Map<string, bigint>()
    for (const { maker, notional } of quotes) {
      const sum = (makers.get(maker.toLowerCase()) ?? 0n) + notional
      const limit = fundsOf(maker) ?? sum
      makers.set(maker.toLowerCase(), sum < limit ? sum : limit)
    }
    return [...makers.values()].reduce((sum, part) => sum + part, 0n)
  }
  const all = offeredBy(byRate)
  const aim = all < room ? all : room
  const half = byRate.find((_, index) => 2n * offeredBy(byRate.slice(0, index + 1)) >= aim)
  if (!half) return { cost: 0n, notional: 1n }
  const { notional, vrtAmount } = half
  return { cost: 2n * vrtAmount < notional ? 2n * vrtAmount : notional, notional }
}

function order<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
