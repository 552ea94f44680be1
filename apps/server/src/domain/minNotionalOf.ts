// Why: docs/decisions/0033-rates-at-a-size.md
import type { Rejection, RFQRequest } from '@firmquote/core'
import type { Address } from 'viem'

/** The rule for a series' minimum notional. */
export type DustRule = {
  /** Divisor of a series' cap that yields the series' minimum notional. */
  divisor: number
  /** The operator's limits in raw units, by lower-case loan token. */
  limits: ReadonlyMap<string, bigint>
}

/**
 * A series' minimum notional, in raw units: its cap divided by the rule's divisor, or the operator's limit for the loan
 * token if lower. Never zero.
 */
export function minNotionalOf(
  { cap, loanToken }: { cap: bigint; loanToken: Address },
  { divisor, limits }: DustRule,
): bigint {
  const share = cap / BigInt(divisor)
  const limit = limits.get(loanToken.toLowerCase())
  const least = limit !== undefined && limit < share ? limit : share
  return least > 0n ? least : 1n
}

/** The minimum notional for a request's quotes, or why the series cannot serve the request. */
export type RequestSize =
  | { ok: true; minNotional: bigint }
  | { ok: false; rejection: Extract<Rejection, { code: 'NOTIONAL_TOO_SMALL' | 'CAPACITY_EXCEEDED' }> }

/** Divisor of a request's notional that yields its default minimum notional. */
const defaultDivisor = 10n

/** Judges a request's size: its minimum notional must fit within the series' remaining capacity. Raw units. */
export function judgeRequestSize(
  { notional, minNotional = notional / defaultDivisor }: Pick<RFQRequest, 'notional' | 'minNotional'>,
  { dust, capacity }: { dust: bigint; capacity: bigint },
): RequestSize {
  if (notional < dust) return { ok: false, rejection: { code: 'NOTIONAL_TOO_SMALL', notional, limit: dust } }
  const least = minNotional > dust ? minNotional : dust
  if (least > capacity) return { ok: false, rejection: { code: 'CAPACITY_EXCEEDED', notional: least, capacity } }
  return { ok: true, minNotional: least }
}
