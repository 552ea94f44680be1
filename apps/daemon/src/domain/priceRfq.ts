import { type RFQBroadcast, secondsPerYear } from '@firmquote/core'
import { type Policy, wad } from './policy.ts'

/** What a price follows from; nothing else is looked at. */
export type PricingInput = {
  rfq: RFQBroadcast
  /** The pool's floating borrow rate, WAD (1e18 = 100 %) per second. */
  floatingRatePerSec: bigint
  /** The decimals of the pool's loan token. */
  decimals: number
  policy: Policy
  /** Unix seconds. */
  now: number
  /** The most that this quote may be for, raw units: what the maker has and has not promised yet. */
  affordable: bigint
  /** The maker's nonce on the quote market. */
  nonce: bigint
}

/** A quote as far as pricing decides it; pool, series and taker are the RFQ's. */
export type PricedQuote = {
  kind: 'quote'
  /** Raw units of the loan token, at most the RFQ's. */
  notional: bigint
  /** What the taker pays for the whole term, raw units. */
  vrtAmount: bigint
  nonce: bigint
  /** The last Unix second at which it can be taken. */
  deadline: bigint
}

/** Why there is no quote. The code is stable; the sentence is for the maker's own eyes, it may name his limits. */
export type Decline = { kind: 'decline'; code: string; reason: string }

/** What pricing comes to. */
export type PricingAnswer = PricedQuote | Decline

/** A pricer: {@link priceRfq}, or a maker's own in its place. */
export type Pricer = (input: PricingInput) => PricingAnswer | Promise<PricingAnswer>

const year = BigInt(secondsPerYear)
const day = 86_400n

/**
 * Prices an RFQ by a policy: the floating rate, plus what the term and the size add, not below the floor, rounded up to a
 * tick. The whole notional or nothing. Pure and exact; every rounding is in the maker's favour.
 */
export function priceRfq(input: PricingInput): PricingAnswer {
  const { rfq, policy, now, affordable, nonce, decimals } = input
  const left = BigInt(rfq.expiry - now)
  if (left <= 0n) return decline('SERIES_EXPIRED', 'The series has expired.')

  const pool = policy.pools?.find(({ poolId }) => poolId === rfq.poolId)
  if (policy.pools && !pool) return decline('POOL_NOT_ALLOWED', 'The policy does not quote this pool.')
  if (pool?.series && !pool.series.includes(rfq.seriesKey)) {
    return decline('SERIES_NOT_ALLOWED', 'The policy does not quote this series.')
  }

  const { min, max } = policy.notional
  if (compareSize(rfq.notional, decimals, min) < 0) {
    return decline('NOTIONAL_TOO_SMALL', 'The notional is below the smallest of the policy.')
  }
  if (compareSize(rfq.notional, decimals, max) > 0) {
    return decline('NOTIONAL_TOO_LARGE', 'The notional is above the largest of the policy.')
  }
  if (rfq.notional > affordable) {
    return decline('NOT_AFFORDABLE', `The notional is ${rfq.notional}, but only ${affordable} is not promised yet.`)
  }

  const { termSpread, sizeSpread, floor, bounds, tick } = policy
  const wanted =
    input.floatingRatePerSec * year + termApr(termSpread, left) + sizeApr(sizeSpread, rfq.notional, decimals)
  if (wanted < bounds.min) {
    return decline('RATE_TOO_LOW', `The rate comes to ${percent(wanted)}, below the bound of ${percent(bounds.min)}.`)
  }
  const apr = ceilDiv(wanted > floor ? wanted : floor, tick) * tick
  if (apr > bounds.max) {
    return decline('RATE_TOO_HIGH', `The rate comes to ${percent(apr)}, above the bound of ${percent(bounds.max)}.`)
  }

  const vrtAmount = ceilDiv(rfq.notional * apr * left, wad * year)
  if (rfq.maxVrtAmount !== undefined && vrtAmount > rfq.maxVrtAmount) {
    return decline(
      'VRT_AMOUNT_TOO_LARGE',
      `The price is ${vrtAmount} (${percent(apr)}), the borrower pays ${rfq.maxVrtAmount} at most.`,
    )
  }

  // Nobody can take a quote of an expired series, so it need not be promised any longer.
  const deadline = Math.min(now + policy.lifetimeSeconds, rfq.expiry - 1)
  if (deadline * 1_000 <= rfq.closesAt) {
    return decline('TOO_LATE', 'The quote would end before the auction does.')
  }
  return { kind: 'quote', notional: rfq.notional, vrtAmount, nonce, deadline: BigInt(deadline) }
}

function termApr(points: Policy['termSpread'], left: bigint): bigint {
  const after = points.findIndex(({ days }) => BigInt(days) * day >= left)
  const to = points[after] ?? points.at(-1)
  if (!to) return 0n
  const from = points[after - 1]
  if (!from || after < 0) return to.apr
  const start = BigInt(from.days) * day
  const rise = (to.apr - from.apr) * (left - start)
  return from.apr + ceilDiv(rise, BigInt(to.days) * day - start)
}

function sizeApr(steps: Policy['sizeSpread'], notional: bigint, decimals: number): bigint {
  return steps.findLast(({ from }) => compareSize(notional, decimals, from) >= 0)?.apr ?? 0n
}

/** Compares raw units with a size of a policy: negative, zero or positive. Exact for every number of decimals. */
function compareSize(notional: bigint, decimals: number, size: bigint): number {
  const [left, right] = [notional * wad, size * 10n ** BigInt(decimals)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Rounds towards positive infinity; the divisor is positive. */
function ceilDiv(value: bigint, divisor: bigint): bigint {
  // Division cuts towards zero, which is upwards below zero.
  return value > 0n ? (value + divisor - 1n) / divisor : value / divisor
}

/** For sentences only. */
function percent(apr: bigint): string {
  return `${Number(apr) / 1e16} %`
}

function decline(code: string, reason: string): Decline {
  return { kind: 'decline', code, reason }
}
