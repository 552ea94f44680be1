import { comparePrices, type QuoteState } from '@firmquote/core'
import type { Address } from 'viem'

/** What one quote promises of a loan token, in raw units. */
export type Promised = { maker: Address; loanToken: Address; notional: bigint }

/** What a maker can pay for its quotes: the smaller of its balance and the quote market's allowance. */
export function fundsOf({ balance, allowance }: Pick<QuoteState, 'balance' | 'allowance'>): bigint {
  return smaller(balance, allowance)
}

function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/**
 * Adds up what makers have promised together. A maker is overcommitted when that is more than its funds: then all of its
 * quotes in that token are, since whichever are taken first leave the others without money. It does not depend on their
 * order, so no maker can put one of its quotes before another.
 */
export function sumPromises(promises: readonly Promised[]): (maker: Address, loanToken: Address) => bigint {
  const sums = new Map<string, bigint>()
  const key = (maker: Address, loanToken: Address) => `${maker} ${loanToken}`.toLowerCase()
  for (const { maker, loanToken, notional } of promises) {
    sums.set(key(maker, loanToken), (sums.get(key(maker, loanToken)) ?? 0n) + notional)
  }
  return (maker, loanToken) => sums.get(key(maker, loanToken)) ?? 0n
}

/** An executable quote of one series. Amounts in raw units of the loan token. */
export type Offer = { maker: Address; notional: bigint; vrtAmount: bigint; funds: bigint }

/** What a series offers: the best quote, how many there are, and how much of it could be taken one after another. */
export type Depth = { best: Offer | null; quotes: number; notional: bigint }

/** Measures the depth of a series: best rates first, each maker only as far as its funds go. */
export function measureDepth(offers: readonly Offer[]): Depth {
  const sorted = [...offers].sort(comparePrices)
  const left = new Map<Address, bigint>()
  let notional = 0n
  for (const offer of sorted) {
    const funds = left.get(offer.maker) ?? offer.funds
    const counted = smaller(offer.notional, funds)
    left.set(offer.maker, funds - counted)
    notional += counted
  }
  return { best: sorted[0] ?? null, quotes: sorted.length, notional }
}
