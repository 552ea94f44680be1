import {
  type ExecutabilityRequest,
  InvalidInputError,
  maxVrtAmountOf,
  type PriceLimit,
  type RFQRequest,
} from '@firmquote/sdk'

/** Maximum cost of a quote for part of the notional: its pro-rata share of the limit, rounded down. Raw units. Pure. */
export function shareOfLimit(limit: bigint, part: bigint, { notional }: Pick<RFQRequest, 'notional'>): bigint {
  return (limit * part) / notional
}

/**
 * Applies a limit to a request, and returns the request to check a quote against. Pure.
 *
 * @param request The original request. Its own `maxVrtAmount`, which covers the whole notional, applies if it is lower
 * than the limit.
 * @param limit The limit for the whole request.
 * @param given.size The quote's notional, raw units.
 * @param given.part Whether to accept a quote for less than the request.
 * @param given.at When the term of a `maxApr` limit starts, Unix seconds.
 * @throws {InvalidInputError} if the notional is not positive, the limit is malformed, or the limit is a `maxApr` and
 * the request has no `expiry`.
 */
export function enforceLimit(
  request: ExecutabilityRequest,
  limit: PriceLimit,
  given: { size: bigint; part: boolean; at: bigint },
): ExecutabilityRequest {
  const { size, part, at } = given
  const { notional } = request
  if (notional <= 0n) throw new InvalidInputError('must be positive.', { path: 'request.notional', given: notional })
  const limited = maxVrtAmountOf(limit, notional, { expiry: request.expiry as number, at })
  const { maxVrtAmount: asked = limited } = request
  // biome-ignore lint/complexity/useMathMinMax: Math.min does not accept bigints.
  const lower = asked < limited ? asked : limited
  return {
    ...request,
    notional: part && size < notional ? size : notional,
    maxVrtAmount: shareOfLimit(lower, size, request),
  }
}
