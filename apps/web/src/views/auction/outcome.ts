import type { Rejection, RFQResult } from '@firmquote/sdk'
import type { JudgedOffers } from './offers/judgeOffers.ts'

/**
 * A closed auction's outcome for its borrower:
 * - `offers`: there are offers to take;
 * - `fixed`: the whole amount is fixed;
 * - `rest`: part of the amount is fixed, and the rest floats;
 * - `expired`: all offers have expired;
 * - `cannot`: the offers cannot be taken for other reasons;
 * - `refused`: the service rejected all quotes;
 * - `noMakers`: no makers were connected;
 * - `silent`: no maker responded.
 */
export type Outcome = 'offers' | 'fixed' | 'rest' | 'expired' | 'cannot' | 'refused' | 'noMakers' | 'silent'

const late: ReadonlySet<Rejection['code']> = new Set(['DEADLINE_PASSED', 'DEADLINE_TOO_SOON'])

/** Determines an auction's outcome. Pure. */
export function outcomeOf(
  { notional, backers, rejectedCount }: Pick<RFQResult, 'notional' | 'backers' | 'rejectedCount'>,
  { takeable, others, taken }: Pick<JudgedOffers, 'takeable' | 'others' | 'taken'>,
): Outcome {
  const fixed = taken.reduce((sum, { quote }) => sum + quote.notional, 0n)
  if (fixed >= notional) return 'fixed'
  if (takeable.length > 0) return 'offers'
  if (fixed > 0n) return 'rest'
  if (others.length > 0) {
    return others.every(({ rejection }) => rejection && late.has(rejection.code)) ? 'expired' : 'cannot'
  }
  if (rejectedCount > 0) return 'refused'
  return backers === 0 ? 'noMakers' : 'silent'
}
