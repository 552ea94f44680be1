import { type Endpoint, endpoints } from '@firmquote/core/endpoints'
import type { Express, Request, RequestHandler, Response } from 'express'
import { decodeBody, decodeHeaders, decodeParameters, decodeQuery, requireNoQuery } from './decodeRequest.ts'
import { expressPath } from './expressPath.ts'
import { answered } from './handle.ts'
import type { HttpContext } from './httpContext.ts'
import { jsonBody } from './jsonBody.ts'
import { type limitReads, readCosts } from './limitReads.ts'
import { allow, answer, sendJson } from './responses/answer.ts'
import { quietPaths } from './responses/requestLog.ts'
import { handlers } from './routes/handlers.ts'
import { traceRequest } from './traceRequest.ts'

/**
 * Adds the endpoints in the order of core's table, except `isAlive` (see {@link addLiveness}). Decodes each request,
 * calls its handler, and answers other methods with 405. `chargeRead` is called before anything is decoded.
 */
export function addEndpoints(app: Express, context: HttpContext, chargeRead: ChargeRead): void {
  const { isAlive: _, ...records } = endpoints
  add(app, context, Object.values(records), chargeRead)
}

/** Adds `isAlive`, which responds even during a shutdown. */
export function addLiveness(app: Express, context: HttpContext): void {
  add(app, context, [endpoints.isAlive], () => {})
}

type ChargeRead = ReturnType<typeof limitReads>

function add(app: Express, context: HttpContext, records: readonly Endpoint[], chargeRead: ChargeRead): void {
  for (const path of new Set(records.map(expressPath))) {
    const ofPath = records.filter((record) => expressPath(record) === path)
    const route = app.route(path)
    for (const record of ofPath) route[record.method](...bodyOf(record, context), run(record, context, chargeRead))
    // A record without responses only documents why its method is refused.
    const methods = ofPath.filter(({ answers }) => Object.keys(answers).length > 0).map(({ method }) => method)
    route.all(allow(methods.sort().join(', ').toUpperCase()))
  }
}

function bodyOf({ body }: Endpoint, { service }: HttpContext): RequestHandler[] {
  return body ? [jsonBody(service.config.limits.bodyBytes)] : []
}

function run(record: Endpoint, context: HttpContext, chargeRead: ChargeRead): RequestHandler {
  const { parameters, query, headers, body, answers } = record
  // The table has a handler for every record, typed by that record.
  const handler: (input: never, ...rest: [Request, Response]) => unknown =
    handlers[record.id as keyof typeof handlers].create(context)
  const isJson = answers[200]?.shape !== undefined
  const mediaType = answers[200]?.mediaType ?? 'text/plain; charset=utf-8'
  const cost = readCosts[record.id as keyof typeof endpoints]
  // A method that is always refused is refused before the query is checked.
  const checkQuery = Object.keys(answers).length > 0 ? requireNoQuery : () => undefined
  const serve = async (req: Request, res: Response) => {
    if (cost !== undefined) chargeRead(cost, req)
    const input = {
      query: query ? decodeQuery(req, query) : checkQuery(req),
      parameters: parameters && decodeParameters(req, parameters),
      headers: headers && decodeHeaders(req, headers),
      body: body && decodeBody(req, body),
    }
    // The client has closed the connection.
    if (res.closed) return
    const value = await handler(input as never, req, res)
    if (value === answered || res.closed) return
    if (isJson) sendJson(res, 200, value)
    else answer(res, 200, { 'Content-Type': mediaType }, value as string)
  }
  const route = expressPath(record)
  if (!context.tracing || quietPaths.has(route)) return serve
  return traceRequest(context.tracing, { method: record.method.toUpperCase(), route }, serve)
}
