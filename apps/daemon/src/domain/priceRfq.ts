import { type RFQBroadcast, secondsPerYear } from '@firmquote/core'
import type { MarketView } from './marketView.ts'
import { type Policy, wad } from './policy.ts'

/** What the pricing by policy depends on. */
export type PolicyInput = {
  rfq: RFQBroadcast
  /** The pool's floating borrow rate, WAD (1e18 = 100 %) per second. */
  floatingRatePerSec: bigint
  /** The decimals of the pool's loan token. */
  decimals: number
  policy: Policy
  /** Unix seconds. */
  now: number
  /**
   * The most that this quote may be for, raw loan-token units: the maker's funds less its outstanding quotes, or what the
   * series can still take where that is less.
   */
  affordable: bigint
  /** The maker's nonce on the quote market. */
  nonce: bigint
}

/** Everything that a price may depend on. What a taker has shown of its record, if anything, is in `rfq`. */
export type PricingInput = PolicyInput & MarketView

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

/** Why there is no quote. The code is stable; the reason is for the maker alone: it may name its limits. */
export type Decline = { kind: 'decline'; code: string; reason: string }

/** The result of pricing. */
export type PricingAnswer = PricedQuote | Decline

/** A pricer: {@link priceRfq}, or a maker's own in its place. */
export type Pricer = (input: PricingInput) => PricingAnswer | Promise<PricingAnswer>

const year = BigInt(secondsPerYear)
const day = 86_400n
/** An auction that ends later, by this clock, is not waited for: until a quote's deadline its funds are reserved. */
const longestAuctionSeconds = 600

/**
 * Prices an RFQ by a policy: the floating rate, plus what the term and the size add, not below the floor, rounded up to a
 * tick. It quotes as much of the notional as is affordable and the policy allows, if that is the RFQ's `minNotional` or more;
 * the whole notional or nothing where the RFQ names none. Pure and exact; every rounding is in the maker's favour.
 */
export function priceRfq(input: PolicyInput): PricingAnswer {
  const { termSpread, sizeSpread } = input.policy
  const left = BigInt(input.rfq.expiry - input.now)
  return quoteAt(input, (notional) => {
    return input.floatingRatePerSec * year + termApr(termSpread, left) + sizeApr(sizeSpread, notional, input.decimals)
  })
}

/**
 * Quotes at a rate of the caller's, with everything else by the policy: pools, sizes, floor, tick, bounds, what the borrower pays at
 * most, and the deadline.
 *
 * @param aprOf the fixed rate for a notional in raw loan-token units: simple APR, WAD.
 */
export function quoteAt(input: PolicyInput, aprOf: (notional: bigint) => bigint): PricingAnswer {
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
  const needed = rfq.minNotional ?? rfq.notional
  if (compareSize(needed, decimals, max) > 0) {
    return decline('NOTIONAL_TOO_LARGE', 'The notional is above the largest of the policy.')
  }
  const allowed = least(rfq.notional, (max * 10n ** BigInt(decimals)) / wad)
  const notional = least(allowed, affordable)
  if (notional < needed || compareSize(notional, decimals, min) < 0) {
    return decline('NOT_AFFORDABLE', `The notional is ${rfq.notional}, but only ${affordable} is not reserved yet.`)
  }

  const { floor, bounds, tick } = policy
  const wanted: bigint = aprOf(notional)
  if (wanted < bounds.min) {
    return decline('RATE_TOO_LOW', `The rate comes to ${percent(wanted)}, below the bound of ${percent(bounds.min)}.`)
  }
  const apr = ceilDiv(wanted > floor ? wanted : floor, tick) * tick
  if (apr > bounds.max) {
    return decline('RATE_TOO_HIGH', `The rate comes to ${percent(apr)}, above the bound of ${percent(bounds.max)}.`)
  }

  const vrtAmount = ceilDiv(notional * apr * left, wad * year)
  // What the borrower pays at most is for the whole notional.
  if (rfq.maxVrtAmount !== undefined && vrtAmount * rfq.notional > rfq.maxVrtAmount * notional) {
    return decline(
      'VRT_AMOUNT_TOO_LARGE',
      `The price is ${vrtAmount} (${percent(apr)}), the borrower pays ${rfq.maxVrtAmount} at most.`,
    )
  }

  const closes = Math.ceil(rfq.closesAt / 1_000)
  const minDeadline = Number(rfq.minDeadline ?? closes)
  const wantedDeadline = Math.max(closes + policy.lifetimeSeconds, minDeadline)
  if (wantedDeadline > now + longestAuctionSeconds + policy.lifetimeSeconds) {
    return decline('DEADLINE_TOO_FAR', 'The RFQ asks for a quote that lasts longer than an auction and the policy do.')
  }
  // A quote of an expired series cannot be taken, so it need not be reserved any longer.
  const deadline = Math.min(wantedDeadline, rfq.expiry - 1)
  if (deadline < minDeadline || deadline * 1_000 <= rfq.closesAt) {
    return decline('TOO_LATE', 'The quote would end before the auction does, or sooner than it asks for.')
  }
  return { kind: 'quote', notional, vrtAmount, nonce, deadline: BigInt(deadline) }
}

function termApr(points: Policy['termSpread'], left: bigint): bigint {
  const after = points.findIndex(({ days }) => BigInt(days) * day >= left)
  const to = points[after] ?? points.at(-1)
  if (!to) return 0n
  const from = points[after - 1]
  if (!from) return to.apr
  const start = BigInt(from.days) * day
  const rise = (to.apr - from.apr) * (left - start)
  return from.apr + ceilDiv(rise, BigInt(to.days) * day - start)
}

function sizeApr(steps: Policy['sizeSpread'], notional: bigint, decimals: number): bigint {
  return steps.findLast(({ from }) => compareSize(notional, decimals, from) >= 0)?.apr ?? 0n
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

/** Compares raw units with a size of a policy: negative, zero or positive. Exact for every number of decimals. */
function compareSize(notional: bigint, decimals: number, size: bigint): number {
  const [left, right] = [notional * wad, size * 10n ** BigInt(decimals)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Rounds towards positive infinity; the divisor is positive. */
function ceilDiv(value: bigint, divisor: bigint): bigint {
  // Division truncates towards zero, which is upwards below zero.
  return value > 0n ? (value + divisor - 1n) / divisor : value / divisor
}

/** For reasons only. */
function percent(apr: bigint): string {
  return `${Number(apr) / 1e16} %`
}

function decline(code: string, reason: string): Decline {
  return { kind: 'decline', code, reason }
}
