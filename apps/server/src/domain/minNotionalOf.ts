// Why: docs/decisions/0033-rates-at-a-size.md
import type { Rejection, RFQRequest } from '@firmquote/core'
import type { Address } from 'viem'

/** How the least notional of a series is found. */
export type DustRule = {
  /** A series' cap is divided by this. */
  divisor: number
  /** The operator's own limits by lower-case loan token, in its raw units. */
  limits: ReadonlyMap<string, bigint>
}

/**
 * The least notional that a series takes, in raw units: its cap divided by the rule's divisor, or the operator's limit for
 * the loan token where that is lower. Never zero.
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

/** The least that a quote of a request may be for, or why the series cannot take the request. */
export type RequestSize =
  | { ok: true; minNotional: bigint }
  | { ok: false; rejection: Extract<Rejection, { code: 'NOTIONAL_TOO_SMALL' | 'CAPACITY_EXCEEDED' }> }

/** The least of a request that names none is its notional divided by this. */
const defaultDivisor = 10n

/** Judges the size of a request: what it asks for at least must fit into what the series can still take. Raw units. */
export function judgeRequestSize(
  { notional, minNotional = notional / defaultDivisor }: Pick<RFQRequest, 'notional' | 'minNotional'>,
  { dust, capacity }: { dust: bigint; capacity: bigint },
): RequestSize {
  if (notional < dust) return { ok: false, rejection: { code: 'NOTIONAL_TOO_SMALL', notional, limit: dust } }
  const least = minNotional > dust ? minNotional : dust
  if (least > capacity) return { ok: false, rejection: { code: 'CAPACITY_EXCEEDED', notional: least, capacity } }
  return { ok: true, minNotional: least }
}
