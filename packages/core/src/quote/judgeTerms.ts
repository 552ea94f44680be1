import { type Address, type Hex, zeroAddress } from 'viem'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { guardInput } from '../values/guardInput.ts'
import type { Rejection } from './rejection.ts'

/** Limits on a quote that do not depend on the chain. Omitted fields impose no limit. */
export type QuoteTerms = {
  /** The required maker: the session's backer. */
  maker?: Address
  poolId?: Hex
  seriesKey?: Hex
  /** Minimum notional, in raw units. */
  minNotional?: bigint
  /** Maximum notional, in raw units. */
  notional?: bigint
  /** Maximum vrtAmount, in raw units. */
  maxVrtAmount?: bigint
  /** The account that must be able to take the quote. */
  taker?: Address
  /** The earliest deadline, in Unix seconds. */
  minDeadline?: bigint
  /** Minimum and maximum number of seconds from now until the deadline. */
  lifetime?: { min: number; max: number }
}

/** Maximum notional of a quote, in raw units. Keeps sums of notionals and interest far below 2^256. */
export const maxNotionalOf: bigint = /* @__PURE__ */ (() => 2n ** 127n - 1n)()

/**
 * Judges the terms that require no chain read: the RFQ's limits, a cost of at most the notional, and the deadline.
 * Pure. Call this before any expensive check.
 *
 * @param now Unix seconds.
 * @returns The first rejection, or null.
 * @example
 * ```ts
 * const now = BigInt(Math.floor(Date.now() / 1000))
 * judgeTerms(quote, { notional: quote.notional - 1n }, now)?.code // 'NOTIONAL_TOO_LARGE'
 * ```
 */
export function judgeTerms(quote: QuoteMarketQuote, terms: QuoteTerms, now: bigint): Rejection | null {
  return guardInput('quote', () => judge(quote, terms, now))
}

function judge(quote: QuoteMarketQuote, terms: QuoteTerms, now: bigint): Rejection | null {
  const { maker, poolId, seriesKey, notional, maxVrtAmount, taker } = terms
  if (maker !== undefined && !sameHex(quote.maker, maker)) {
    return { code: 'MAKER_MISMATCH', maker: quote.maker, expected: maker }
  }
  if (poolId !== undefined && !sameHex(quote.poolId, poolId)) {
    return { code: 'TERMS_MISMATCH', field: 'poolId', value: quote.poolId, expected: poolId }
  }
  if (seriesKey !== undefined && !sameHex(quote.seriesKey, seriesKey)) {
    return { code: 'TERMS_MISMATCH', field: 'seriesKey', value: quote.seriesKey, expected: seriesKey }
  }
  if (terms.poolId !== undefined && !sameHex(quote.taker, zeroAddress)) {
    const expected = taker ?? zeroAddress
    if (!sameHex(quote.taker, expected)) {
      return { code: 'TERMS_MISMATCH', field: 'taker', value: quote.taker, expected }
    }
  }
  if (terms.minNotional !== undefined && quote.notional < terms.minNotional) {
    return { code: 'NOTIONAL_TOO_SMALL', notional: quote.notional, limit: terms.minNotional }
  }
  const maxNotional = least(notional, maxNotionalOf)
  if (quote.notional > maxNotional) {
    return { code: 'NOTIONAL_TOO_LARGE', notional: quote.notional, limit: maxNotional }
  }
  // The payout never exceeds the notional, so a higher cost never makes sense. A zero notional has its own rejection
  // code.
  const maxVrt = quote.notional === 0n ? maxVrtAmount : least(maxVrtAmount, quote.notional)
  if (maxVrt !== undefined && quote.vrtAmount > maxVrt) {
    return { code: 'VRT_AMOUNT_TOO_LARGE', vrtAmount: quote.vrtAmount, limit: maxVrt }
  }
  return judgeDeadline(quote.deadline, terms, now)
}

function judgeDeadline(deadline: bigint, { lifetime, minDeadline }: QuoteTerms, now: bigint): Rejection | null {
  // The contract accepts a quote up to and including its deadline.
  if (deadline < now) return { code: 'DEADLINE_PASSED', deadline, limit: now }
  if (minDeadline !== undefined && deadline < minDeadline) {
    return { code: 'DEADLINE_TOO_SOON', deadline, limit: minDeadline }
  }
  if (!lifetime) return null
  const earliest = now + BigInt(lifetime.min)
  if (deadline < earliest) return { code: 'DEADLINE_TOO_SOON', deadline, limit: earliest }
  const latest = now + BigInt(lifetime.max)
  if (deadline > latest) return { code: 'DEADLINE_TOO_FAR', deadline, limit: latest }
  return null
}

function least(limit: bigint | undefined, most: bigint): bigint {
  return limit === undefined || limit > most ? most : limit
}

function sameHex(a: Hex, b: Hex): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}
