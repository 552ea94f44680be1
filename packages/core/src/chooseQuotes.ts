import type { Address, Hex } from 'viem'
import { comparePrices } from './quotePrice.ts'

/** A quote that {@link chooseQuotes} may choose. Amounts are raw units of the loan token. */
export type ChoosableQuote = { hash: Hex; maker: Address; notional: bigint; vrtAmount: bigint }

/** What is to be fixed, and on which terms. Amounts are raw units of the loan token. */
export type ChooseOptions = {
  /** What is to be fixed: the chosen notionals are never more together. */
  notional: bigint
  /** The most that the chosen quotes may cost for the whole notional; each is held to its own share of it. */
  maxVrtAmount?: bigint
  /** What the series can still take. */
  capacity?: bigint
  /** What each maker's funds cover, by lower-case address: one maker's quotes together are never above it. */
  funds?: ReadonlyMap<string, bigint>
  /** How many quotes may be taken, 4 by default. */
  maxTakes?: number
}

/** The quotes to take, each whole, best rate first. */
export type Choice<Quote extends ChoosableQuote> = {
  quotes: Quote[]
  /** What they fix together. */
  notional: bigint
  /** What they cost together. */
  cost: bigint
  /** Whether no better choice exists; false where the search was ended by its bound. */
  optimal: boolean
}

/**
 * The cheapest way to fix a notional: of the sets that keep to the options, one that covers most, and of these one that costs
 * least. Quotes are taken whole.
 */
export function chooseQuotes<Quote extends ChoosableQuote>(
  quotes: readonly Quote[],
  { notional, maxVrtAmount, capacity, funds, maxTakes = 4 }: ChooseOptions,
): Choice<Quote> {
  const room = capacity === undefined || capacity > notional ? notional : capacity
  const usable = quotes
    .filter((quote) => quote.notional > 0n && quote.notional <= room)
    .filter((quote) => maxVrtAmount === undefined || quote.vrtAmount * notional <= maxVrtAmount * quote.notional)
    .sort(comparePrices)
  let best: Choice<Quote> = { quotes: [], notional: 0n, cost: 0n, optimal: true }
  const visit = (from: number, chosen: Choice<Quote>) => {
    const { notional: fixed, cost } = chosen
    if (fixed > best.notional || (fixed === best.notional && cost < best.cost)) best = chosen
    if (chosen.quotes.length === maxTakes) return
    for (const [offset, quote] of usable.slice(from).entries()) {
      if (fixed + quote.notional > room) continue
      const maker = quote.maker.toLowerCase()
      const own = chosen.quotes.filter((other) => other.maker.toLowerCase() === maker)
      const limit = funds?.get(maker)
      if (limit !== undefined && own.reduce((sum, other) => sum + other.notional, quote.notional) > limit) continue
      visit(from + offset + 1, {
        quotes: [...chosen.quotes, quote],
        notional: fixed + quote.notional,
        cost: cost + quote.vrtAmount,
        optimal: true,
      })
    }
  }
  visit(0, best)
  return best
}
