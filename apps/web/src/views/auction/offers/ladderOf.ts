import type { RFQResult } from '@firmquote/sdk'
import type { JudgedOffer, JudgedOffers } from './judgeOffers.ts'

/**
 * A quote's place in the ladder:
 * - `best`: the best quote, or the first quote of the best combination;
 * - `combined`: another quote of the combination;
 * - `takeable`: can be taken instead;
 * - `checking`: not checked at the current block;
 * - `taken`: taken by the borrower;
 * - `cannot`: cannot be taken.
 */
export type Rung = { offer: JudgedOffer; standing: 'best' | 'combined' | 'takeable' | 'checking' | 'taken' | 'cannot' }

/** An auction's quotes, best first, and the makers without one. */
export type Ladder = {
  rungs: readonly Rung[]
  /** Number of empty rungs for makers that may still answer. */
  waiting: number
  /** Number of makers that may still answer and have no rung. */
  more: number
}

/** Rungs of an open auction. Each quote fills one, so that the ladder keeps its height. */
const openRungs = 8

/** Arranges an auction's quotes. Each maker may quote once. Makers that connected later were not asked. Pure. */
export function ladderOf(
  { status, backers }: Pick<RFQResult, 'status' | 'backers'>,
  { best, takeable, others, taken }: JudgedOffers,
): Ladder {
  const rungs: Rung[] = [
    ...best.map((offer, index): Rung => ({ offer, standing: index === 0 ? 'best' : 'combined' })),
    ...takeable
      .filter((offer) => !best.includes(offer))
      .map((offer): Rung => ({ offer, standing: offer.basis === 'none' ? 'checking' : 'takeable' })),
    ...others.map((offer): Rung => ({ offer, standing: taken.includes(offer.collected) ? 'taken' : 'cannot' })),
  ]
  const silent = status === 'open' ? Math.max(0, backers - rungs.length) : 0
  const waiting = Math.max(0, Math.min(silent, openRungs - rungs.length))
  return { rungs, waiting, more: silent - waiting }
}
