import { type RFQBroadcast, secondsPerYear } from '@firmquote/core'
import type { MarketView } from './marketView.ts'
import { type Policy, wad } from './policy.ts'

/** Input to policy pricing. */
export type PolicyInput = {
  rfq: RFQBroadcast
  /** The pool's floating borrow rate, in WAD (1e18 = 100 %) per second. */
  floatingRatePerSec: bigint
  /** Decimals of the pool's loan token. */
  decimals: number
  policy: Policy
  /** Unix seconds. */
  now: number
  /**
   * Maximum notional of this quote, in raw loan-token units: the smaller of the maker's unreserved funds and the
   * series' remaining capacity.
   */
  affordable: bigint
  /** The maker's nonce on the quote market. */
  nonce: bigint
}

/** Input to a pricer. `rfq` includes the taker's record if the taker shares it. */
export type PricingInput = PolicyInput & MarketView

/** Terms of a quote that the pricer sets. The pool, series and taker come from the RFQ. */
export type PricedQuote = {
  kind: 'quote'
  /** In raw units of the loan token. At most the RFQ's notional. */
  notional: bigint
  /** Amount that the taker pays for the whole term, in raw units. */
  vrtAmount: bigint
  nonce: bigint
  /** The last second at which the quote can be taken, as a Unix timestamp. */
  deadline: bigint
}

/** Reason for not quoting. The code is stable. Only the maker may see the reason, which may reveal its limits. */
export type Decline = { kind: 'decline'; code: string; reason: string }

/** Result of pricing. */
export type PricingAnswer = PricedQuote | Decline

/** A pricer: {@link priceRfq} or a custom function. */
export type Pricer = (input: PricingInput) => PricingAnswer | Promise<PricingAnswer>

const year = BigInt(secondsPerYear)
const day = 86_400n
/**
 * Maximum time until an auction ends, in seconds on the local clock. Limits how long a quote can reserve funds.
 */
const maxAuctionSeconds = 600

/**
 * Prices an RFQ according to a policy: the floating rate plus the term and size spreads, raised to the floor if
 * necessary, then rounded up to a tick. The quote covers as much of the notional as the funds and the policy allow, but
 * not less than the RFQ's `minNotional`. Without a `minNotional`, the quote covers the whole notional, or the RFQ is
 * declined. Pure and exact. All rounding favours the maker.
 */
export function priceRfq(input: PolicyInput): PricingAnswer {
  const { termSpread, sizeSpread } = input.policy
  const left = BigInt(input.rfq.expiry - input.now)
  return quoteAt(input, (notional) => {
    return input.floatingRatePerSec * year + termApr(termSpread, left) + sizeApr(sizeSpread, notional, input.decimals)
  })
}

/**
 * Quotes at a rate supplied by the caller. The policy's pools, sizes, floor, tick, bounds and lifetime still apply, as
 * does the borrower's maximum price.
 *
 * @param aprOf returns the fixed rate for a notional in raw loan-token units, as simple APR in WAD.
 */
export function quoteAt(input: PolicyInput, aprOf: (notional: bigint) => bigint): PricingAnswer {
  const { rfq, policy, now, affordable, nonce, decimals } = input
  const left = BigInt(rfq.expiry - now)
  if (left <= 0n) return decline('SERIES_EXPIRED', 'The series has expired.')

  const pool = policy.pools?.find(({ poolId }) => poolId === rfq.poolId)
  if (policy.pools && !pool) return decline('POOL_NOT_ALLOWED', 'The policy does not include this pool.')
  if (pool?.series && !pool.series.includes(rfq.seriesKey)) {
    return decline('SERIES_NOT_ALLOWED', 'The policy does not include this series.')
  }

  const { min, max } = policy.notional
  if (compareSize(rfq.notional, decimals, min) < 0) {
    return decline('NOTIONAL_TOO_SMALL', "The notional is below the policy's minimum.")
  }
  const needed = rfq.minNotional ?? rfq.notional
  if (compareSize(needed, decimals, max) > 0) {
    return decline('NOTIONAL_TOO_LARGE', "The notional is above the policy's maximum.")
  }
  const allowed = least(rfq.notional, (max * 10n ** BigInt(decimals)) / wad)
  const notional = least(allowed, affordable)
  if (notional < needed || compareSize(notional, decimals, min) < 0) {
    return decline('NOT_AFFORDABLE', `The notional is ${rfq.notional}, but only ${affordable} is available.`)
  }

  const { floor, bounds, tick } = policy
  const wanted: bigint = aprOf(notional)
  if (wanted < bounds.min) {
    return decline('RATE_TOO_LOW', `The rate of ${percent(wanted)} is below the minimum of ${percent(bounds.min)}.`)
  }
  const apr = ceilDiv(wanted > floor ? wanted : floor, tick) * tick
  if (apr > bounds.max) {
    return decline('RATE_TOO_HIGH', `The rate of ${percent(apr)} is above the maximum of ${percent(bounds.max)}.`)
  }

  const vrtAmount = ceilDiv(notional * apr * left, wad * year)
  // The borrower's maximum applies to the whole notional.
  if (rfq.maxVrtAmount !== undefined && vrtAmount * rfq.notional > rfq.maxVrtAmount * notional) {
    return decline(
      'VRT_AMOUNT_TOO_LARGE',
      `The price is ${vrtAmount} (${percent(apr)}), above the borrower's maximum of ${rfq.maxVrtAmount}.`,
    )
  }

  const closes = Math.ceil(rfq.closesAt / 1_000)
  const minDeadline = Number(rfq.minDeadline ?? closes)
  const wantedDeadline = Math.max(closes + policy.lifetimeSeconds, minDeadline)
  if (wantedDeadline > now + maxAuctionSeconds + policy.lifetimeSeconds) {
    return decline('DEADLINE_TOO_FAR', 'The RFQ requires a later deadline than the policy allows.')
  }
  // A quote cannot be taken after its series expires, so its funds need not be reserved any longer.
  const deadline = Math.min(wantedDeadline, rfq.expiry - 1)
  if (deadline < minDeadline || deadline * 1_000 <= rfq.closesAt) {
    return decline('TOO_LATE', "The quote would expire before the auction ends or before the RFQ's minDeadline.")
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

/**
 * Compares raw units with a policy's size. Returns a negative number, zero or a positive number. Exact for any number
 * of decimals.
 */
function compareSize(notional: bigint, decimals: number, size: bigint): number {
  const [left, right] = [notional * wad, size * 10n ** BigInt(decimals)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Rounds towards positive infinity. The divisor must be positive. */
function ceilDiv(value: bigint, divisor: bigint): bigint {
  // BigInt division truncates towards zero, which rounds negative values up.
  return value > 0n ? (value + divisor - 1n) / divisor : value / divisor
}

/** Formats a rate for use in reasons. Inexact. */
function percent(apr: bigint): string {
  return `${Number(apr) / 1e16} %`
}

function decline(code: string, reason: string): Decline {
  return { kind: 'decline', code, reason }
}
