// Why: docs/decisions/0042-taker-record.md
import type { TakerRecord } from '@firmquote/core'
import type { TakerDebt } from './takerDebt.ts'

/** How many RFQs a taker has proven to be its own, and how many positions it has opened; counting ends at {@link maxCounted}. */
export type TakerCounts = { asked: number; taken: number }

/** The lower bounds of the steps in which counts are told. */
const countSteps = [0, 1, 2, 6, 21]
/** A higher count is told as this one. */
export const maxCounted = 21

/** What makers with means are told of a taker. */
export function takerRecord({ debt, fixed }: TakerDebt, { asked, taken }: TakerCounts): TakerRecord {
  return { unfixedDebt: roundDown(debt - fixed), asked: countStep(asked), taken: countStep(taken) }
}

/** The largest of 1, 2 and 5 times a power of ten that is not above an amount; 0 for none. */
function roundDown(amount: bigint): bigint {
  if (amount <= 0n) return 0n
  const power = 10n ** BigInt(amount.toString().length - 1)
  const lead = amount / power
  return power * (lead >= 5n ? 5n : lead >= 2n ? 2n : 1n)
}

/** The lower bound of a count's step. */
function countStep(count: number): number {
  return countSteps.findLast((least) => count >= least) ?? 0
}
