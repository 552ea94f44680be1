import { createHash } from 'node:crypto'
import { type RFQRequest, takerAudience } from '@firmquote/core'
import type { endpoints, Headers } from '@firmquote/core/endpoints'
import type { Request } from 'express'
import type { FollowedAuction, Integrator } from '../../../app/service.ts'
import { networksOf } from '../../networksOf.ts'
import type { HttpContext } from '../httpContext.ts'
import { invalidRequest, refusal } from '../responses/problem.ts'

/**
 * Opens an auction for the client of a request, or returns the one with the same idempotency key.
 *
 * @throws {ProblemError} with the code of the rejection.
 */
export async function openAuction(
  { service: { hub, config }, integrators, audience }: HttpContext,
  request: RFQRequest,
  req: Request,
  { 'Idempotency-Key': key, 'X-Api-Key': apiKey }: Headers<typeof endpoints.requestQuotes>,
): Promise<FollowedAuction> {
  const integrator = apiKey === undefined ? undefined : integratorOf(integrators, apiKey)
  const outcome = await hub.open(request, {
    ...networksOf(req.ip),
    ...(integrator && { integrator }),
    audience: takerAudience(audience()),
    ...(key !== undefined && { key }),
  })
  if (outcome.ok) return outcome.value
  const { rejection } = outcome
  // A slot is released when an open auction closes.
  const retryAfter =
    rejection.code === 'RATE_LIMITED'
      ? rejection.retryAfterSeconds
      : rejection.code === 'TOO_MANY_OPEN'
        ? Math.ceil(config.auction.durationMs / 1_000)
        : undefined
  throw refusal(rejection, retryAfter)
}

/** Only hashes of API keys are configured, so the configuration contains no usable key. */
function integratorOf(integrators: HttpContext['integrators'], apiKey: string): Integrator {
  const integrator = integrators.get(createHash('sha256').update(apiKey).digest('hex'))
  if (integrator) return integrator
  throw invalidRequest([{ path: 'X-Api-Key', message: 'is not an API key of this service' }], 'A header is invalid')
}
