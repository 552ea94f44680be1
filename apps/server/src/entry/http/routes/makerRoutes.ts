import { endpoints } from '@firmquote/core/endpoints'
import type { Request } from 'express'
import type { Address } from 'viem'
import { networksOf } from '../../limitConnections.ts'
import { handle } from '../handle.ts'
import type { HttpContext } from '../httpContext.ts'
import { ProblemError, refusal } from '../responses/problem.ts'
import { proofsOf, throwNoProof } from './proofProblems.ts'

/** Endpoints for a maker's own quotes and outcomes. */
export const makerRoutes = {
  getMakerQuotes: handle(
    endpoints.getMakerQuotes,
    (context) =>
      async ({ query }, req) =>
        context.service.makers.quotes(await authorizeMaker(context, req), query),
  ),

  getMakerOutcomes: handle(
    endpoints.getMakerOutcomes,
    (context) =>
      async ({ query }, req) =>
        context.service.makers.outcomes(await authorizeMaker(context, req), query),
  ),

  getMakerProof: handle(endpoints.getMakerProof, (context) => async ({ query }, req) => {
    const { auctions } = proofsOf(context.service)
    const proof = await auctions.quote(query.publicRfqId, await authorizeMaker(context, req))
    return proof.ok ? proof.value : throwNoProof(proof.rejection)
  }),
}

/**
 * Returns the maker that a request is authenticated as. Errors never include the header's value.
 *
 * @throws {ProblemError} `UNAUTHENTICATED`, or `RATE_LIMITED` after too many contract checks for the network,
 * or `MAKER_BANNED`.
 */
async function authorizeMaker(
  { service: { makers }, audience, allowList }: HttpContext,
  req: Request,
): Promise<Address> {
  const outcome = await makers.authorize({
    authorization: req.get('Authorization'),
    audience: audience(),
    network: networksOf(req.ip).address,
    ...(allowList && { allowList }),
  })
  if (outcome.ok) return outcome.value
  const { rejection } = outcome
  if (rejection.code === 'RATE_LIMITED') throw refusal(rejection, rejection.retryAfterSeconds)
  if (rejection.code === 'MAKER_BANNED') throw refusal(rejection)
  const { facts } = refusal(rejection)
  throw new ProblemError({ ...facts, headers: { 'WWW-Authenticate': 'Backer' } })
}
