import {
  type ExecutabilityRequest,
  InvalidInputError,
  maxVrtAmountOf,
  type PriceLimit,
  type RFQRequest,
} from '@firmquote/sdk'

/** What a quote for a part of the notional may cost: its share of the limit, rounded down. Raw units. Pure. */
export function shareOfLimit(limit: bigint, part: bigint, { notional }: Pick<RFQRequest, 'notional'>): bigint {
  return (limit * part) / notional
}

/**
 * A request that a quote is held against, with the limit in it. Pure.
 *
 * @param request what was asked for; its own `maxVrtAmount`, for all of it, counts where it is lower.
 * @param limit for all of the request.
 * @param given.size what the quote is for, raw units.
 * @param given.part whether a quote for less than the request is fine.
 * @param given.at from when the term of a `maxApr` counts, Unix seconds.
 * @throws {InvalidInputError} when the notional is zero or the limit malformed, or is a `maxApr` and the request has no `expiry`.
 */
export function enforceLimit(
  request: ExecutabilityRequest,
  limit: PriceLimit,
  given: { size: bigint; part: boolean; at: bigint },
): ExecutabilityRequest {
  const { size, part, at } = given
  const { notional } = request
  if (notional <= 0n) throw new InvalidInputError('must be above zero.', { path: 'request.notional', given: notional })
  const limited = maxVrtAmountOf(limit, notional, { expiry: request.expiry as number, at })
  const { maxVrtAmount: asked = limited } = request
  // biome-ignore lint/complexity/useMathMinMax: Math.min takes no bigint.
  const lower = asked < limited ? asked : limited
  return {
    ...request,
    notional: part && size < notional ? size : notional,
    maxVrtAmount: shareOfLimit(lower, size, request),
  }
}
