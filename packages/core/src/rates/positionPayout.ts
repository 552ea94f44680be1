// Why: docs/decisions/0032-credits-and-checkpoints.md
/** An index of a lending market, RAY, and the time of the reading, Unix seconds. */
export type IndexReading = { index: bigint; readAt: bigint }

/** The inputs of a series' index at its expiry. */
export type SeriesIndex = {
  /** Unix seconds. */
  expiry: bigint
  /** The most recent opening in the series. */
  lastOpening: IndexReading
  /** The first reading at or after the expiry. Null before the expiry. */
  checkpoint: IndexReading | null
}

/** The contract stores 192 bits of an index. */
const maxIndex = /* @__PURE__ */ (() => 2n ** 192n - 1n)()

/**
 * The index for settling the positions of a series, RAY, as the contract computes it: linear interpolation between the
 * last opening and the checkpoint, rounded down. An index that fell in between counts as no growth.
 *
 * @param now Stands in for a missing checkpoint: the market's index and the block's time. Before the expiry, the index
 * is assumed to stay constant until then.
 */
export function indexAtExpiry({ expiry, lastOpening, checkpoint }: SeriesIndex, now: IndexReading): bigint {
  const readAt = now.readAt < expiry ? expiry : now.readAt
  const first = checkpoint ?? { index: keptIndex(now.index), readAt }
  const growth = first.index - lastOpening.index
  if (growth <= 0n) return lastOpening.index
  return lastOpening.index + (growth * (expiry - lastOpening.readAt)) / (first.readAt - lastOpening.readAt)
}

/** The part of an index that the contract stores. */
function keptIndex(index: bigint): bigint {
  if (index > maxIndex) return maxIndex
  return index
}

/** The inputs of a position's payout. Amounts are raw units of the loan token, the index at opening is RAY. */
export type PayablePosition = { notional: bigint; cost: bigint; indexAtOpen: bigint }

/**
 * A position's payout at an index, in raw units of the loan token, as the contract computes it. The borrower receives
 * the floating interest on the notional, rounded down and at most the notional. The maker receives the rest.
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
