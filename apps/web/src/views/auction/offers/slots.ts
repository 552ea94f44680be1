import type { CollectedQuote, RFQResult } from '@firmquote/sdk'
import type { JudgedOffers } from './judgeOffers.ts'

/** A maker's quote. `best` marks a quote to take, and `cannot` one that cannot be taken. */
export type Slot = { collected: CollectedQuote; standing: 'best' | 'answered' | 'cannot' }

/** One slot per maker: first those that have quoted, in order, then the others. */
export type Slots = {
  answered: readonly Slot[]
  /** Number of empty slots. */
  waiting: number
  /** Number of makers with neither a quote nor a slot. */
  more: number
}

/** Maximum number of slots. Any other makers without a quote are only counted. */
const mostSlots = 12

/** Assigns makers to slots. Each maker may quote once. Makers that connected later were not asked. Pure. */
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
