import type { AuctionState } from '@firmquote/react'
import type { Rejection, RFQResult } from '@firmquote/sdk'
import type { JudgedOffers } from './offers/judgeOffers.ts'

/**
 * An auction's outcome for its borrower:
 * - `quotes`: there are quotes to take;
 * - `fixed`: the whole amount is fixed;
 * - `waiting`: the auction is open, and nothing can be taken yet;
 * - `rest`: part of the amount is fixed, and the rest is variable;
 * - `expired`: all quotes have expired;
 * - `cannot`: the quotes cannot be taken for other reasons;
 * - `refused`: the service rejected all quotes;
 * - `noMakers`: no makers were connected;
 * - `silent`: no maker responded.
 */
export type Outcome = 'quotes' | 'fixed' | 'waiting' | 'rest' | 'expired' | 'cannot' | 'refused' | 'noMakers' | 'silent'

const late: ReadonlySet<Rejection['code']> = new Set(['DEADLINE_PASSED', 'DEADLINE_TOO_SOON'])

/** Determines an auction's outcome. Pure. */
export function outcomeOf(
  { notional, status, backers, rejectedCount }: Pick<RFQResult, 'notional' | 'status' | 'backers' | 'rejectedCount'>,
  { takeable, others, taken }: Pick<JudgedOffers, 'takeable' | 'others' | 'taken'>,
): Outcome {
  const fixed = taken.reduce((sum, { quote }) => sum + quote.notional, 0n)
  if (fixed >= notional) return 'fixed'
  if (takeable.length > 0) return 'quotes'
  if (status === 'open') return 'waiting'
  if (fixed > 0n) return 'rest'
  if (others.length > 0) {
    return others.every(({ rejection }) => rejection && late.has(rejection.code)) ? 'expired' : 'cannot'
  }
  if (rejectedCount > 0) return 'refused'
  return backers === 0 ? 'noMakers' : 'silent'
}

/** Whether all makers that are expected to answer have answered, so that waiting is unlikely to get a better rate. Pure. */
export function allAnswered({ progress }: Pick<AuctionState, 'progress'>): boolean {
  return progress !== undefined && progress.answered >= progress.expected
}
