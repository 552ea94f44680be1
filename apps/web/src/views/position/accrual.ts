// Why: docs/decisions/0070-compared-at-maturity.md
import { floatingGrowth } from '@firmquote/core'
import { positionPayout } from '@firmquote/core/chain'
import type { FixedPosition, RateHistory } from '@firmquote/sdk'

const daySeconds = 86_400
const ray = 10n ** 27n

/**
 * A position's value at a time in Unix seconds, in raw units of the loan token: the payout, and the cost with the
 * floating interest that it would have saved by repaying debt, rounded up.
 */
export type AccrualPoint = { at: number; payout: bigint; cost: bigint }

/** A position's payout and cost, day by day. */
export type Accrual = {
  /** From the opening to now or the expiry. The last point is exact. */
  past: readonly AccrualPoint[]
  /** From now to the expiry, at a constant floating rate. Empty from the expiry on. */
  future: readonly AccrualPoint[]
  /** When the payout reaches the cost, in Unix seconds, or null if it never does. Exact to the day if past. */
  evenAt: number | null
}

/**
 * Computes a position's payout and cost for each day of its term. Past days follow the readings of the floating rate,
 * scaled so that they end at the exact payout. Future days follow the contract's arithmetic at a constant rate. Pure.
 *
 * @param payout The borrower's payout now, or at the expiry if the term has ended.
 * @param readings Floating rates, oldest first. Each is assumed to last until the next.
 * @param now Unix seconds.
 * @param ratePerSec Today's floating rate, WAD per second.
 */
export function accrualOf(
  { notional, cost, expiry }: Pick<FixedPosition, 'notional' | 'cost' | 'expiry'>,
  {
    payout,
    openedAt,
    now,
    readings,
    ratePerSec,
  }: {
    payout: bigint
    openedAt: number
    now: number
    readings: readonly Pick<RateHistory['floating'][number], 'at' | 'ratePerSec'>[]
    ratePerSec: bigint
  },
): Accrual {
  const end = Math.min(now, expiry)
  // The debt that the notional has become. It grows like the market's index.
  const owed = notional + payout
  const pointAt = (at: number, debt: bigint): AccrualPoint => ({
    at,
    payout: positionPayout({ notional, cost, indexAtOpen: notional }, debt).toBorrower,
    cost: (cost * debt + notional - 1n) / notional,
  })
  const projectedAt = (at: number) => pointAt(at, (owed * floatingGrowth(ratePerSec, at - end)) / ray)

  const grown = growthOf(readings, { from: openedAt, times: pastDays(openedAt, end), otherwise: ratePerSec })
  const total = (grown.at(-1)?.growth ?? ray) - ray
  const past = grown.map(({ at, growth }) =>
    pointAt(at, notional + (total === 0n ? (at === end ? payout : 0n) : (payout * (growth - ray)) / total)),
  )
  const future = end < expiry ? futureDays(end, expiry).map(projectedAt) : []
  const isEven = (point: AccrualPoint) => point.payout >= point.cost
  const last = future.at(-1)
  const evenAt =
    past.find(isEven)?.at ?? (last && isEven(last) ? earliest(end, expiry, (at) => isEven(projectedAt(at))) : null)
  return { past, future, evenAt }
}

/** Returns the market's growth since `from` at each of the times, in RAY. */
function growthOf(
  readings: readonly { at: number; ratePerSec: bigint }[],
  { from, times, otherwise }: { from: number; times: readonly number[]; otherwise: bigint },
): { at: number; growth: bigint }[] {
  const known = readings.filter(({ at }) => at <= from).at(-1) ?? readings[0]
  let rate = known?.ratePerSec ?? otherwise
  let since = from
  // Rates times seconds, WAD.
  let sum = 0n
  const later = readings.filter(({ at }) => at > from)
  return times.map((at) => {
    for (let [next] = later; next && next.at <= at; [next] = later) {
      sum += rate * BigInt(next.at - since)
      since = next.at
      rate = next.ratePerSec
      later.shift()
    }
    const exponent = sum + rate * BigInt(at - since)
    const seconds = at - from
    return { at, growth: seconds === 0 ? ray : floatingGrowth(exponent / BigInt(seconds), seconds) }
  })
}

/** Whole days back from the end, after the opening. */
function pastDays(openedAt: number, end: number): number[] {
  const days: number[] = []
  const step = stepOf(end - openedAt)
  for (let at = end; at > openedAt; at -= step) days.unshift(at)
  return [openedAt, ...days]
}

/** Whole days from now, before the expiry. */
function futureDays(now: number, expiry: number): number[] {
  const days: number[] = []
  const step = stepOf(expiry - now)
  for (let at = now; at < expiry; at += step) days.push(at)
  return [...days, expiry]
}

/** A day, or more if a service claims a term of many years. */
const stepOf = (seconds: number) => Math.max(daySeconds, Math.ceil(seconds / 1_000))

/** Returns the first second after `from` at which a condition holds that holds at `to`, and from then on. */
function earliest(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
