// Why: docs/decisions/0032-credits-and-checkpoints.md
/** An index of a lending market, RAY, and when it was read, Unix seconds. */
export type IndexReading = { index: bigint; readAt: bigint }

/** What the index of a series at its expiry follows from. */
export type SeriesIndex = {
  /** Unix seconds. */
  expiry: bigint
  /** The last opening in the series. */
  lastOpening: IndexReading
  /** The first reading from the expiry on; null before it. */
  checkpoint: IndexReading | null
}

/** The contract keeps 192 bits of an index. */
const mostIndex = /* @__PURE__ */ (() => 2n ** 192n - 1n)()

/**
 * The index that the positions of a series are settled with, RAY, as the contract computes it: on the straight line from the
 * last opening to the checkpoint, rounded down. An index that has fallen in between counts as no growth.
 *
 * @param now what the checkpoint would be if there was none yet: the market's index, and the time of the block. Before the
 * expiry, as if the index stayed as it is until then.
 */
export function indexAtExpiry({ expiry, lastOpening, checkpoint }: SeriesIndex, now: IndexReading): bigint {
  const readAt = now.readAt < expiry ? expiry : now.readAt
  const first = checkpoint ?? { index: keptIndex(now.index), readAt }
  const growth = first.index - lastOpening.index
  if (growth <= 0n) return lastOpening.index
  return lastOpening.index + (growth * (expiry - lastOpening.readAt)) / (first.readAt - lastOpening.readAt)
}

/** What the contract keeps of an index. */
function keptIndex(index: bigint): bigint {
  if (index > mostIndex) return mostIndex
  return index
}

/** A position, as far as its payout follows from it: amounts in raw units of the loan token, the index of its opening in RAY. */
export type PayablePosition = { notional: bigint; cost: bigint; indexAtOpen: bigint }

/**
 * What a position pays its parties at an index, in raw units of the loan token, as the contract computes it: the borrower gets
 * the floating interest on the notional, rounded down, at most the notional; the maker gets everything else.
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
