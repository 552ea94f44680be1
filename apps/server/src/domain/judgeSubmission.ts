import { isTemporary, judgeTerms, quoteApr, type Rejection, type RFQ, type SignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { AuctionState } from './auctionState.ts'
import type { CandidateQuote } from './backerEntries.ts'
import { rateTime } from './rateTime.ts'

/** Judges whether a quote fits its auction, without reading the chain. `now` is Unix seconds. */
export function judgeSubmission(
  { rfq, lifetime }: Pick<AuctionState, 'rfq' | 'lifetime'>,
  { backer, quote, now }: { backer: Address; quote: SignedQuote; now: bigint },
): Rejection | null {
  const { poolId, seriesKey, notional, minNotional, minDeadline, maxVrtAmount, taker } = rfq
  const terms = {
    maker: backer,
    poolId,
    seriesKey,
    notional,
    lifetime,
    ...(minNotional === undefined ? {} : { minNotional }),
    ...(minDeadline === undefined ? {} : { minDeadline }),
    ...(maxVrtAmount === undefined ? {} : { maxVrtAmount }),
    ...(taker === undefined ? {} : { taker }),
  }
  const rejection = judgeTerms(quote, terms, now)
  if (rejection) return rejection
  // Uses the contract's reason. The rate is undefined for a notional of zero.
  return quote.notional === 0n ? { code: 'NOT_EXECUTABLE', reason: 'NOTIONAL_ZERO' } : null
}

/** Creates the auction's record of a quote. `arrival` is Unix microseconds of auction time. */
export function candidateOf(rfq: RFQ, quote: SignedQuote, hash: Hex, arrival: number): CandidateQuote {
  const receivedAt = Math.floor(arrival / 1000)
  const apr = quoteApr(quote, rfq.expiry, rateTime(receivedAt, rfq.expiry))
  return { hash, quote, apr, receivedAt, arrival }
}

/** Whether a rejection counts as one of the backer's attempts. A rejection counts only if the backer caused it. */
export function isAttempt({ code }: Rejection): boolean {
  return !isTemporary(code)
}
