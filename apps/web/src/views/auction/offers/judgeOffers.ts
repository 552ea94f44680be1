import { chooseQuotes, judgeTerms, type QuoteState } from '@firmquote/core'
import { judgeState } from '@firmquote/core/chain'
import { shareOfLimit, submissionWindowSeconds } from '@firmquote/react'
import type { CollectedQuote, Rejection, RFQResult } from '@firmquote/sdk'
import { type Address, type Hex, isAddressEqual } from 'viem'

/** An auction's quote with its verdict. */
export type JudgedOffer = {
  collected: CollectedQuote
  /** Why the quote cannot be taken, or null if it can. */
  rejection: Rejection | null
  /** The basis of the verdict: the latest block, the service's check on receipt, or nothing current. */
  basis: 'chain' | 'service' | 'none'
}

/** An auction's offers, sorted into takeable ones (best first) and rejected ones. */
export type JudgedOffers = {
  takeable: JudgedOffer[]
  others: JudgedOffer[]
  /**
   * The offers in `takeable` that fix as much of the remaining amount as possible at the lowest cost, to be taken in
   * sequence. An unchecked offer is among them only if no offer is checked.
   */
  best: JudgedOffer[]
  /** The auction's taken quotes, best first. */
  taken: CollectedQuote[]
}

/**
 * Judges each of an auction's quotes by its terms, its deadline and, if known, its on-chain state. Preserves the
 * auction's order, best first. Pure.
 *
 * @param limit Maximum cost of the whole notional. A partial quote must stay within its share.
 * @param borrower The account that would take the quotes. Without a wallet, the account that the auction was for.
 * @param states Known on-chain states by hash, or null if there is no wallet to read through.
 * @param current Whether `states` are from the latest block. Older states can only reject a quote.
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
  // If a quote was signed for anyone, another account may have taken it.
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
    // The device's clock may be slow, so prefer the chain's time if it is later.
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
  // Each quote is already within its exact share of the limit. Round up, so that no quote is excluded by rounding.
  const rest = (limit * left + notional - 1n) / notional
  // An offer that has just arrived must not replace one that can be taken now.
  const checked = judged.takeable.filter(({ basis }) => basis !== 'none')
  const choices = checked.length > 0 ? checked : judged.takeable
  return { ...judged, best: chooseBest(choices, { notional: left, maxVrtAmount: rest, states }) }
}

/** Chooses the best combination. Ignores the server's choice, because the app decides which offers are takeable. */
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
  // All quotes are for the same series.
  const capacity = takeable
    .map(({ collected }) => states?.get(collected.hash)?.capacity)
    .find((room) => room !== undefined)
  const choice = chooseQuotes(offers, { notional, maxVrtAmount, funds, ...(capacity !== undefined && { capacity }) })
  return choice.quotes.map(({ row }) => row)
}

function fundsOf({ balance, allowance }: QuoteState): bigint {
  return balance < allowance ? balance : allowance
}
