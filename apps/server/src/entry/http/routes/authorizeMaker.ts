import type { Request } from 'express'
import type { Address } from 'viem'
import { networksOf } from '../../networksOf.ts'
import type { HttpContext } from '../httpContext.ts'
import { ProblemError, refusal } from '../responses/problem.ts'

/**
 * The maker that a request is authenticated for. The header is never repeated.
 *
 * @throws {ProblemError} `UNAUTHENTICATED`, or `RATE_LIMITED` after too many contract checks for the network.
 */
export async function authorizeMaker(
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
  const { facts } = refusal(rejection)
  throw new ProblemError({ ...facts, headers: { 'WWW-Authenticate': 'Backer' } })
}
