import type { CollectedQuote, RFQResult } from '@firmquote/sdk'
import type { JudgedOffers } from './judgeOffers.ts'

/** An answer from a maker. `best`: one to take; `cannot`: cannot be taken. */
export type Slot = { collected: CollectedQuote; standing: 'best' | 'answered' | 'cannot' }

/** One slot per maker: those that answered, in order, then those that did not. */
export type Slots = {
  answered: readonly Slot[]
  /** Number of empty slots. */
  waiting: number
  /** Number of asked makers without an answer that do not fit into slots. */
  more: number
}

/** Maximum number of slots; further unanswered makers are only counted. */
const mostSlots = 12

/** Pure. Each maker may answer once. Makers that connected later were not asked. */
export function slotsOf(
  { quotes, backers }: Pick<RFQResult, 'quotes' | 'backers'>,
  { best, others }: Pick<JudgedOffers, 'best' | 'others'>,
): Slots {
  const holds = (rows: JudgedOffers['best'], { hash }: CollectedQuote) =>
    rows.some((row) => row.collected.hash === hash)
  const answered = quotes
    .toSorted((a, b) => a.receivedAt - b.receivedAt)
    .map((collected): Slot => {
      return { collected, standing: holds(others, collected) ? 'cannot' : holds(best, collected) ? 'best' : 'answered' }
    })
  const silent = Math.max(0, backers - answered.length)
  return backers > mostSlots ? { answered, waiting: 0, more: silent } : { answered, waiting: silent, more: 0 }
}
