// Why: docs/decisions/0042-taker-record.md
import type { TakerRecord } from '@firmquote/core'
import type { TakerDebt } from './takerDebt.ts'

/**
 * The number of RFQs in which a taker proved its identity and the number of positions it opened, each up to
 * {@link maxCounted}.
 */
export type TakerCounts = { asked: number; taken: number }

/** Lower bounds of the ranges in which counts are shown. */
const countSteps = [0, 1, 2, 6, 21]
/** The highest count shown. Higher counts are shown as this value. */
export const maxCounted = 21

/** Creates a taker's record as shown to makers with funds. */
export function takerRecord(
  { debt, fixed }: Pick<TakerDebt, 'debt' | 'fixed'>,
  { asked, taken }: TakerCounts,
): TakerRecord {
  return { unfixedDebt: roundDown(debt - fixed), asked: countStep(asked), taken: countStep(taken) }
}

/** Rounds an amount down to 1, 2 or 5 times a power of ten; 0 stays 0. */
function roundDown(amount: bigint): bigint {
  if (amount <= 0n) return 0n
  const power = 10n ** BigInt(amount.toString().length - 1)
  const lead = amount / power
  return power * (lead >= 5n ? 5n : lead >= 2n ? 2n : 1n)
}

/** Returns the lower bound of the range that contains a count. */
function countStep(count: number): number {
  return countSteps.findLast((least) => count >= least) ?? 0
}
