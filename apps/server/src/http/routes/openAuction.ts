import type { RFQRequest } from '@firmquote/core'
import type { Request } from 'express'
import type { FollowedAuction, Service } from '../../app/service.ts'
import { refusal } from '../answers/problem.ts'
import { requesterOf } from '../requester.ts'

/**
 * Opens an auction for the address that a request comes from, or finds the one that was opened with its key.
 *
 * @throws {ProblemError} with the code of the refusal.
 */
export async function openAuction(
  { hub, config }: Service,
  request: RFQRequest,
  req: Request,
  key: string | undefined,
): Promise<FollowedAuction> {
  const outcome = await hub.open(request, { address: requesterOf(req.ip), ...(key !== undefined && { key }) })
  if (outcome.ok) return outcome.value
  const { rejection } = outcome
  // A place becomes free when one of the open auctions closes.
  const retryAfter =
    rejection.code === 'RATE_LIMITED'
      ? rejection.retryAfterSeconds
      : rejection.code === 'TOO_MANY_OPEN'
        ? Math.ceil(config.auction.durationMs / 1_000)
        : undefined
  throw refusal(rejection, retryAfter)
}
