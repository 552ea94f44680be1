import { comparePrices, type QuoteState } from '@firmquote/core'
import type { Address } from 'viem'

/** An open quote's notional, in raw units of its loan token. */
export type OpenNotional = { maker: Address; loanToken: Address; notional: bigint }

/** The amount that a maker can fund, in raw units: the smaller of its balance and its allowance to the quote market. */
export function fundsOf({ balance, allowance }: Pick<QuoteState, 'balance' | 'allowance'>): bigint {
  return smaller(balance, allowance)
}

function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/**
 * Sums open notional by maker and loan token, in raw units. If a maker's sum exceeds its funds, the maker and all of
 * its quotes in that token are overcommitted: whichever quotes are taken first leave no funds for the rest.
 *
 * @returns a function that looks up the sum for a maker and loan token. It ignores the case of addresses.
 */
export function sumOpenNotional(quotes: readonly OpenNotional[]): (maker: Address, loanToken: Address) => bigint {
  const sums = new Map<string, bigint>()
  const key = (maker: Address, loanToken: Address) => `${maker} ${loanToken}`.toLowerCase()
  for (const { maker, loanToken, notional } of quotes) {
    sums.set(key(maker, loanToken), (sums.get(key(maker, loanToken)) ?? 0n) + notional)
  }
  return (maker, loanToken) => sums.get(key(maker, loanToken)) ?? 0n
}

/** An executable quote in one series. Amounts are in raw units of the loan token. */
export type Offer = { maker: Address; notional: bigint; vrtAmount: bigint; funds: bigint }

/**
 * A series' depth: its best quote, the number of quotes, and the notional available by filling quotes in sequence.
 */
export type Depth = { best: Offer | null; quotes: number; notional: bigint }

/** Measures a series' depth, best rates first. A maker's quotes count only up to the maker's funds. */
export function measureDepth(offers: readonly Offer[]): Depth {
  const sorted = [...offers].sort(comparePrices)
  const unused = new Map<Address, bigint>()
  let notional = 0n
  for (const offer of sorted) {
    const funds = unused.get(offer.maker) ?? offer.funds
    const counted = smaller(offer.notional, funds)
    unused.set(offer.maker, funds - counted)
    notional += counted
  }
  return { best: sorted[0] ?? null, quotes: sorted.length, notional }
}
