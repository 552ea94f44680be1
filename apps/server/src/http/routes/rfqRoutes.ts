import { describeRejection, type RFQRequest } from '@firmquote/core'
import { encodeJson, observationFiltersShape, rfqId, rfqRequestShape } from '@firmquote/core/wire'
import type { Express, Request, Response } from 'express'
import type { OpenAuction, OpenRefusal } from '../../app/service.ts'
import { allow } from '../answers/allow.ts'
import { streamAuction } from '../answers/eventStream.ts'
import { ProblemError } from '../answers/problem.ts'
import { noQuery, sendJson } from '../answers/sendJson.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { readBody, readParameter, readQuery } from '../readRequest.ts'
import { requesterOf } from '../requester.ts'
import { takeJson } from '../takeJson.ts'

/** Auctions: asking for quotes, reading what came of it, and what was seen lately. */
export function addRfqRoutes(app: Express, door: HttpDoor): void {
  const { hub, book, config } = door.service
  const json = takeJson(config.limits.bodyBytes)

  async function openAuction(req: Request): Promise<OpenAuction> {
    readQuery(req, noQuery)
    const request: RFQRequest = readBody(req, rfqRequestShape)
    const outcome = await hub.open(request, requesterOf(req.ip))
    if (outcome.ok) return outcome.value
    throw refusalOf(outcome.rejection, config.auction.durationMs)
  }

  app
    .route('/api/v1/rfq/quote')
    .post(json, async (req: Request, res: Response) => {
      const auction = await openAuction(req)
      const result = await auction.result
      if (!res.closed) sendJson(res, 200, result)
    })
    .all(allow('POST'))

  app
    .route('/api/v1/rfq/quote/stream')
    .post(json, async (req: Request, res: Response) => streamAuction(res, await openAuction(req), door))
    .all(allow('POST'))

  app
    .route('/api/v1/rfq/quotes/recent')
    .get(async (req, res) => {
      sendJson(res, 200, { quotes: await book.observations(readQuery(req, observationFiltersShape)) })
    })
    .all(allow('GET'))

  app
    .route('/api/v1/rfq/:rfqId')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      const result = await hub.find(readParameter(req, 'rfqId', rfqId))
      if (!result) throw new ProblemError({ code: 'RFQ_NOT_FOUND', detail: 'There is no RFQ with this id.' })
      sendJson(res, 200, result)
    })
    .all(allow('GET'))
}

function refusalOf(refusal: OpenRefusal, durationMs: number): ProblemError {
  const { code, ...facts } = refusal
  const retryAfter =
    refusal.code === 'RATE_LIMITED'
      ? refusal.retryAfterSeconds
      : refusal.code === 'TOO_MANY_OPEN'
        ? Math.ceil(durationMs / 1_000)
        : undefined
  return new ProblemError({
    code,
    detail: describeRefusal(refusal),
    ...(Object.keys(facts).length > 0 && { details: JSON.parse(encodeJson(facts)) as Record<string, unknown> }),
    ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
  })
}

function describeRefusal(refusal: OpenRefusal): string {
  switch (refusal.code) {
    case 'SERIES_NOT_FOUND':
      return refusal.available.length > 0
        ? `The pool has no such active series; its active expiries are ${refusal.available.join(', ')}.`
        : 'The pool has no active series.'
    case 'TOO_MANY_OPEN':
      return `You have ${refusal.open} auctions open already, the limit is ${refusal.limit}.`
    case 'RATE_LIMITED':
      return `You have opened many auctions lately; ask again in ${refusal.retryAfterSeconds} seconds.`
    case 'CHAIN_UNAVAILABLE':
      return 'The chain could not be read, so no auction was opened. Try again.'
    default:
      return describeRejection(refusal)
  }
}
