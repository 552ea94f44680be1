import type { RFQRequest, StreamOptions } from '@firmquote/core'
import { endpoints, type Headers } from '@firmquote/core/endpoints'
import { takerAudience } from '@firmquote/core/protocol'
import type { Request } from 'express'
import type { FollowedAuction, Service } from '../../../app/service.ts'
import type { Integrator } from '../../../domain/quotas.ts'
import { networksOf } from '../../limitConnections.ts'
import { answered, handle } from '../handle.ts'
import { hashApiKey } from '../hashApiKey.ts'
import type { HttpContext } from '../httpContext.ts'
import { streamAuction } from '../responses/eventStream.ts'
import { invalidRequest, ProblemError, refusal } from '../responses/problem.ts'
import { proofsOf, throwNoProof } from './proofProblems.ts'

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

  streamQuotes: handle(endpoints.streamQuotes, (context) => async ({ query, body, headers }, req, res) => {
    streamAuction(res, await openAuction(context, body, req, headers), context, optionsOf(query, context))
    return answered
  }),

  followAuction: handle(endpoints.followAuction, (context) => async ({ parameters, query, headers }, _req, res) => {
    const { rfqId } = parameters
    const last = headers['Last-Event-ID']
    if (last && last.rfqId !== rfqId) {
      throw invalidRequest(
        [{ path: 'Last-Event-ID', message: 'is the ID of an event of another auction' }],
        'A header is invalid',
      )
    }
    const auction = await context.service.hub.follow(rfqId)
    if (!auction) throw new ProblemError({ code: 'RFQ_NOT_FOUND', detail: 'There is no RFQ with this id.' })
    streamAuction(res, auction, context, { after: last?.seq, ...optionsOf(query, context) })
    return answered
  }),

  getAuction: handle(endpoints.getAuction, ({ service: { hub } }) => async ({ parameters }) => {
    const result = await hub.find(parameters.rfqId)
    if (!result) throw new ProblemError({ code: 'RFQ_NOT_FOUND', detail: 'There is no RFQ with this id.' })
    return result
  }),

  getAuctionProof: handle(endpoints.getAuctionProof, ({ service }) => async ({ parameters }) => {
    const proof = await proofsOf(service).auctions.auction(parameters.rfqId)
    return proof.ok ? proof.value : throwNoProof(proof.rejection)
  }),

  getAuctionLeaves: handle(endpoints.getAuctionLeaves, ({ service }) => async ({ parameters }) => {
    const leaves = await proofsOf(service).auctions.leaves(parameters.publicRfqId)
    return leaves ?? throwNoProof({ code: 'RFQ_NOT_FOUND' })
  }),
}

function optionsOf({ receipts }: StreamOptions, { service }: Pick<HttpContext, 'service'>) {
  return { receipts: receipts === '1' ? service.hub.receipts : null }
}

/**
 * Opens an auction for the requesting client, or returns the auction with the same idempotency key.
 *
 * @throws {ProblemError} with the rejection's code.
 */
async function openAuction(
  { service, audience }: HttpContext,
  request: RFQRequest,
  req: Request,
  { 'Idempotency-Key': key, 'X-Api-Key': apiKey }: Headers<typeof endpoints.requestQuotes>,
): Promise<FollowedAuction> {
  const integrator = apiKey === undefined ? undefined : integratorOf(service, apiKey)
  const outcome = await service.hub.open(request, {
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
        ? Math.ceil(service.config.auction.durationMs / 1_000)
        : undefined
  throw refusal(rejection, retryAfter)
}

/**
 * Returns the integrator with this API key.
 *
 * @throws {ProblemError} INVALID_REQUEST if there is none.
 */
function integratorOf(service: Pick<Service, 'findIntegrator'>, apiKey: string): Integrator {
  const found = service.findIntegrator(hashApiKey(apiKey))
  if (found.ok) return found.integrator
  throw invalidRequest([{ path: 'X-Api-Key', message: found.message }], 'A header is invalid')
}
