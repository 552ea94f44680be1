import { chooseQuotes, judgeState, judgeTerms, type QuoteState } from '@firmquote/core'
import { shareOfLimit, submissionWindowSeconds } from '@firmquote/react'
import type { CollectedQuote, Rejection, RFQResult } from '@firmquote/sdk'
import { type Address, type Hex, isAddressEqual } from 'viem'

/** An auction's quote with its verdict. */
export type JudgedOffer = {
  collected: CollectedQuote
  /** Why it cannot be taken. */
  rejection: Rejection | null
  /** Basis of the verdict: the chain now, the service at the time of receipt, or nothing current. */
  basis: 'chain' | 'service' | 'none'
}

/** An auction's offers: takeable ones, best first, and rejected ones. */
export type JudgedOffers = {
  takeable: JudgedOffer[]
  others: JudgedOffer[]
  /** The offers of `takeable` that fix the most of what is left at the lowest cost, to take one after another. */
  best: JudgedOffer[]
  /** The auction's quotes that were taken, in the auction's order. */
  taken: CollectedQuote[]
}

/**
 * Judges each of an auction's quotes: its terms, its deadline by the clock, and the chain's state where known. Pure.
 * Keeps the auction's order, best first.
 *
 * @param limit maximum cost of the whole notional; a partial quote is held to its share.
 * @param borrower who would take it; without a wallet, the account the auction was for.
 * @param states known chain states by hash; null without a wallet to read through.
 * @param current whether `states` are from the newest block. Old states can only reject a quote.
 * @param now Unix seconds.
 */
export function judgeOffers(
  { poolId, seriesKey, notional, maxVrtAmount, taker, quotes }: RFQResult,
  {
    limit = maxVrtAmount ?? notional,
    borrower = taker,
    states,
    current = true,
    now,
  }: {
    limit?: bigint
    borrower?: Address | undefined
    states: ReadonlyMap<Hex, QuoteState> | null
    current?: boolean
    now: number
  },
): JudgedOffers {
  const terms = {
    poolId,
    seriesKey,
    notional,
    ...(borrower !== undefined && { taker: borrower }),
    lifetime: { min: submissionWindowSeconds, max: Number.MAX_SAFE_INTEGER },
  }
  // Anyone may have taken a quote that was signed for anyone.
  const taken = quotes.filter(
    ({ hash, quote }) =>
      states?.get(hash)?.status === 'filled' && borrower !== undefined && isAddressEqual(quote.taker, borrower),
  )
  const left = taken.reduce((rest, { quote }) => rest - quote.notional, notional)
  const judged: JudgedOffers = { takeable: [], others: [], best: [], taken }
  for (const collected of quotes) {
    const { hash, quote } = collected
    const state = states?.get(hash)
    const clock = BigInt(Math.floor(now))
    // The device's clock may be behind. Time that has passed on the chain has passed.
    const time = state && state.block.timestamp > clock ? state.block.timestamp : clock
    const share = shareOfLimit(limit, quote.notional, { notional })
    const rejection =
      judgeTerms(quote, { ...terms, maxVrtAmount: share }, time) ??
      (state ? judgeState(quote, state, time) : null) ??
      judgeTerms(quote, { notional: left }, 0n)
    const basis = states === null ? 'service' : state && current ? 'chain' : 'none'
    const row: JudgedOffer = { collected, rejection, basis }
    if (rejection) judged.others.push(row)
    else judged.takeable.push(row)
  }
  // Each quote already satisfies its exact share. Rounded up, so that none is dropped here.
  const rest = (limit * left + notional - 1n) / notional
  return { ...judged, best: chooseBest(judged.takeable, { notional: left, maxVrtAmount: rest, states }) }
}

/** Ignores the server's choice, since the app judged which offers are takeable. */
function chooseBest(
  takeable: readonly JudgedOffer[],
  {
    notional,
    maxVrtAmount,
    states,
  }: { notional: bigint; maxVrtAmount: bigint; states: ReadonlyMap<Hex, QuoteState> | null },
): JudgedOffer[] {
  const funds = new Map<string, bigint>()
  for (const { collected } of takeable) {
    const state = states?.get(collected.hash)
    if (state) funds.set(collected.quote.maker.toLowerCase(), fundsOf(state))
  }
  const offers = takeable.map((row) => {
    const { hash, quote } = row.collected
    return { hash, maker: quote.maker, notional: quote.notional, vrtAmount: quote.vrtAmount, row }
  })
  // All quotes are for one series.
  const capacity = takeable
    .map(({ collected }) => states?.get(collected.hash)?.capacity)
    .find((room) => room !== undefined)
  const choice = chooseQuotes(offers, { notional, maxVrtAmount, funds, ...(capacity !== undefined && { capacity }) })
  return choice.quotes.map(({ row }) => row)
}

function fundsOf({ balance, allowance }: QuoteState): bigint {
  return balance < allowance ? balance : allowance
}
