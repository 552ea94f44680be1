import type { CollectedQuote, RFQResult } from '@firmquote/sdk'
import type { JudgedOffers } from './judgeOffers.ts'

/** A maker that has answered. `best` is one of those to take, `cannot` one that cannot be taken. */
export type Slot = { collected: CollectedQuote; standing: 'best' | 'answered' | 'cannot' }

/** One slot a maker: those that have answered, in the order in which they did, and those that have not. */
export type Slots = {
  answered: readonly Slot[]
  /** Empty slots. */
  waiting: number
  /** Makers that have not answered and have no slot, because there are too many. */
  more: number
}

/** With more makers than this, those that have not answered are counted. */
const mostSlots = 12

/** Pure. A maker may answer once, but one that has connected since is not among those that were asked. */
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
