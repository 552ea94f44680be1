import { chooseQuotes, judgeState, judgeTerms, type QuoteState } from '@firmquote/core'
import { shareOfLimit, submissionWindowSeconds } from '@firmquote/react'
import type { CollectedQuote, Rejection, RFQResult } from '@firmquote/sdk'
import { type Address, type Hex, isAddressEqual } from 'viem'

/** A quote of an auction. */
export type JudgedOffer = {
  collected: CollectedQuote
  /** Why it cannot be taken. */
  rejection: Rejection | null
  /** What the verdict is based on: the chain now, the service at the time of receipt, or nothing current. */
  basis: 'chain' | 'service' | 'none'
}

/** The offers of an auction: what can be taken, best first, and what cannot. */
export type JudgedOffers = {
  takeable: JudgedOffer[]
  others: JudgedOffer[]
  /** Those of `takeable` that fix most of what is left at the least cost, to be taken one after the other. */
  best: JudgedOffer[]
  /** What has been taken of this auction's quotes, in the order of the auction. */
  taken: CollectedQuote[]
}

/**
 * Judges each of an auction's quotes: its terms and its deadline by the clock, and what the chain says where it was read.
 * Pure; the order is the auction's own, best first.
 *
 * @param limit the most to pay for the whole notional; a quote for a part is held to its share.
 * @param borrower who would take it; without a wallet, whom the auction was for.
 * @param states by hash, as far as the chain has been read; null without a wallet to ask.
 * @param current whether they are the newest block's. Old ones speak against a quote, never for it.
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
  // A quote that was signed for anybody may have been taken by anybody.
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
    // A page's clock may be behind: what the chain knows to have passed has passed.
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
  // Each quote keeps to its share already, exactly; rounded up, so that none of them is left out here.
  const rest = (limit * left + notional - 1n) / notional
  return { ...judged, best: chooseBest(judged.takeable, { notional: left, maxVrtAmount: rest, states }) }
}

/** The server's own choice is not looked at: what can be taken is known here. */
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
  // All of them are of one series.
  const capacity = takeable
    .map(({ collected }) => states?.get(collected.hash)?.capacity)
    .find((room) => room !== undefined)
  const choice = chooseQuotes(offers, { notional, maxVrtAmount, funds, ...(capacity !== undefined && { capacity }) })
  return choice.quotes.map(({ row }) => row)
}

function fundsOf({ balance, allowance }: QuoteState): bigint {
  return balance < allowance ? balance : allowance
}
