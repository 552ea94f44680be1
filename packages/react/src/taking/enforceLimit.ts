import {
  type ExecutabilityRequest,
  InvalidInputError,
  maxVrtAmountOf,
  type PriceLimit,
  type RFQRequest,
} from '@firmquote/sdk'

/** The largest cost of a quote for a part of the notional: its share of the limit, rounded down. Raw units. Pure. */
export function shareOfLimit(limit: bigint, part: bigint, { notional }: Pick<RFQRequest, 'notional'>): bigint {
  return (limit * part) / notional
}

/**
 * Combines a request with a limit into the request that a quote is checked against. Pure.
 *
 * @param request The original request. Its own `maxVrtAmount`, for the whole notional, applies if it is lower.
 * @param limit The limit for the whole request.
 * @param given.size The quote's notional, raw units.
 * @param given.part Whether a quote for less than the request is accepted.
 * @param given.at The start of the term of a `maxApr`, Unix seconds.
 * @throws {InvalidInputError} if the notional is zero, the limit is malformed, or it is a `maxApr` and the request has
 * no `expiry`.
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
  // biome-ignore lint/complexity/useMathMinMax: Math.min takes no bigint.
  const lower = asked < limited ? asked : limited
  return {
    ...request,
    notional: part && size < notional ? size : notional,
    maxVrtAmount: shareOfLimit(lower, size, request),
  }
}
