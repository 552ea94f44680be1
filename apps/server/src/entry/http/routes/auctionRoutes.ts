import { createHash } from 'node:crypto'
import type { RFQRequest } from '@firmquote/core'
import { endpoints, type Headers } from '@firmquote/core/endpoints'
import { takerAudience } from '@firmquote/core/protocol'
import type { Request } from 'express'
import type { FollowedAuction, Integrator } from '../../../app/service.ts'
import { networksOf } from '../../limitConnections.ts'
import { answered, handle } from '../handle.ts'
import type { HttpContext } from '../httpContext.ts'
import { streamAuction } from '../responses/eventStream.ts'
import { invalidRequest, ProblemError, refusal } from '../responses/problem.ts'

/** Endpoints for opening and following auctions. */
export const auctionRoutes = {
  requestQuotes: handle(endpoints.requestQuotes, (context) => async ({ body, headers }, req, res) => {
    const auction = await openAuction(context, body, req, headers)
    // A client that waits for the result follows the auction until its connection closes.
    const leave = auction.listen({ event: () => {}, end: () => {} })
    if (res.closed) leave()
    else res.once('close', leave)
    const result = await auction.result()
    return res.closed ? answered : result
  }),

  streamQuotes: handle(endpoints.streamQuotes, (context) => async ({ body, headers }, req, res) => {
    streamAuction(res, await openAuction(context, body, req, headers), context)
    return answered
  }),

  followAuction: handle(endpoints.followAuction, (context) => async ({ parameters: { rfqId }, headers }, _req, res) => {
    const last = headers['Last-Event-ID']
    if (last && last.rfqId !== rfqId) {
      throw invalidRequest(
        [{ path: 'Last-Event-ID', message: 'is the ID of an event of another auction' }],
        'A header is invalid',
      )
    }
    const auction = await context.service.hub.follow(rfqId)
    if (!auction) throw new ProblemError({ code: 'RFQ_NOT_FOUND', detail: 'There is no RFQ with this id.' })
    streamAuction(res, auction, context, last?.seq)
    return answered
  }),

  getAuction: handle(endpoints.getAuction, ({ service: { hub } }) => async ({ parameters }) => {
    const result = await hub.find(parameters.rfqId)
    if (!result) throw new ProblemError({ code: 'RFQ_NOT_FOUND', detail: 'There is no RFQ with this id.' })
    return result
  }),
}

/**
 * Opens an auction for the requesting client, or returns the auction with the same idempotency key.
 *
 * @throws {ProblemError} with the rejection's code.
 */
async function openAuction(
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
  // An open auction's slot is released when it closes.
  const retryAfter =
    rejection.code === 'RATE_LIMITED'
      ? rejection.retryAfterSeconds
      : rejection.code === 'TOO_MANY_OPEN'
        ? Math.ceil(config.auction.durationMs / 1_000)
        : undefined
  throw refusal(rejection, retryAfter)
}

/** Only hashes of API keys are configured, so that the configuration contains no usable key. */
function integratorOf(integrators: HttpContext['integrators'], apiKey: string): Integrator {
  const integrator = integrators.get(createHash('sha256').update(apiKey).digest('hex'))
  if (integrator) return integrator
  throw invalidRequest(
    [{ path: 'X-Api-Key', message: 'is not a valid API key for this service' }],
    'A header is invalid',
  )
}
