// Why: docs/decisions/0032-credits-and-checkpoints.md and docs/decisions/0069-observations.md
/** A lending market's index in RAY, and the time at which it was read, in Unix seconds. */
export type IndexReading = { index: bigint; readAt: bigint }

/** The inputs for a series' index at its expiry. */
export type SeriesIndex = {
  /** Unix seconds. */
  expiry: bigint
  /** The index reading at which the series' most recent position was opened. */
  lastOpening: IndexReading
  /** The last index reading stored by `observe` before the expiry, or null if none exists. */
  observation: IndexReading | null
  /** The first index reading at or after the expiry, or null if none exists yet. */
  checkpoint: IndexReading | null
}

/** The largest index that the contract can store, in RAY. */
export const maxIndex = /* @__PURE__ */ (() => 2n ** 192n - 1n)()

/**
 * Returns the index at which a series' positions settle, in RAY, computed as in the contract: linear interpolation
 * between the last reading before the expiry and the checkpoint, rounded down. The last reading is the last opening's
 * or, if newer, the observation. An index that decreased between the two is treated as constant.
 *
 * @param now The market's index and the block's time, used if there is no checkpoint. Before the expiry, the index is
 * assumed to stay constant until then.
 * @example
 * ```ts
 * const checkpoint = { index: 1_100n, readAt: 200n }
 * const lastOpening = { index: 1_000n, readAt: 100n }
 * indexAtExpiry({ expiry: 150n, lastOpening, observation: null, checkpoint }, checkpoint) // 1_050n
 * ```
 */
export function indexAtExpiry(
  { expiry, lastOpening, observation, checkpoint }: SeriesIndex,
  now: IndexReading,
): bigint {
  const readAt = now.readAt < expiry ? expiry : now.readAt
  const first = checkpoint ?? { index: keptIndex(now.index), readAt }
  const last = lastReading({ lastOpening, observation })
  const growth = first.index - last.index
  if (growth <= 0n) return last.index
  return last.index + (growth * (expiry - last.readAt)) / (first.readAt - last.readAt)
}

/**
 * Returns the reading from which a series' payouts are interpolated: the last opening's or, if newer, the observation.
 */
export function lastReading({
  lastOpening,
  observation,
}: Pick<SeriesIndex, 'lastOpening' | 'observation'>): IndexReading {
  return observation && observation.readAt > lastOpening.readAt ? observation : lastOpening
}

/** Caps an index at the maximum that the contract can store. */
export function keptIndex(index: bigint): bigint {
  if (index > maxIndex) return maxIndex
  return index
}

/**
 * The inputs for a position's payout. Amounts are in raw units of the loan token, and the index at opening is in RAY.
 */
export type PayablePosition = { notional: bigint; cost: bigint; indexAtOpen: bigint }

/**
 * Returns a position's payout at an index, in raw units of the loan token, computed as in the contract. The borrower
 * receives the floating interest on the notional, rounded down and capped at the notional. The maker receives the rest.
 *
 * @example
 * ```ts
 * positionPayout({ notional: 1_000n, cost: 60n, indexAtOpen: 1_000n }, 1_050n) // { toBorrower: 50n, toMaker: 1_010n }
 * ```
 */
export function positionPayout(
  { notional, cost, indexAtOpen }: PayablePosition,
  index: bigint,
): { toBorrower: bigint; toMaker: bigint } {
  const toBorrower = floatingInterest(notional, index - indexAtOpen, indexAtOpen)
  return { toBorrower, toMaker: notional - toBorrower + cost }
}

function floatingInterest(notional: bigint, growth: bigint, from: bigint): bigint {
  if (growth <= 0n) return 0n
  return growth >= from ? notional : (notional * growth) / from
}
