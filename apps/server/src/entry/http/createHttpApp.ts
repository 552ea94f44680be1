import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import { addEndpoints, addLiveness } from './addEndpoints.ts'
import { requireReadableUrl } from './decodeRequest.ts'
import { addDescriptionRoutes } from './description/descriptionRoutes.ts'
import { type HttpContext, relayPath } from './httpContext.ts'
import { limitReads } from './limitReads.ts'
import { addLogRoutes } from './logRoutes.ts'
import { addRelayRoutes } from './relayRoutes.ts'
import { allow, answer, headersOf } from './responses/answer.ts'
import { formatProblem, ProblemError, problemHeaders, problemOf } from './responses/problem.ts'
import { identifyRequest, logRequest, requestIdOf } from './responses/requestLog.ts'
import { addApiExplorerRoutes } from './webApp/apiExplorerRoutes.ts'
import { addDocsSiteRoutes } from './webApp/docsSiteRoutes.ts'
import { addWebAppRoutes } from './webApp/webAppRoutes.ts'

/** Creates the HTTP app: all routes, with a uniform error format. */
export function createHttpApp(context: HttpContext): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  app.set('trust proxy', context.trustProxy)

  app.use(receive(context))
  addLiveness(app, context)
  app.use(admit(context))
  // Express tries routes in order, so the endpoints, which get the most requests, come first.
  const chargeRead = limitReads(context)
  addEndpoints(app, context, chargeRead)
  addLogRoutes(app, context, chargeRead)
  addSocketRoute(app)
  addDescriptionRoutes(app, context)
  addApiExplorerRoutes(app, context)
  addDocsSiteRoutes(app, context)
  addRelayRoutes(app, context)
  addWebAppRoutes(app, context)
  app.use(() => {
    throw new ProblemError({ code: 'NOT_FOUND', detail: 'There is no such endpoint.' })
  })
  app.use(answerError(context))
  return app
}

/** Assigns every request an ID and a log entry, and answers CORS preflight requests. */
function receive(context: HttpContext): RequestHandler {
  const log = logRequest(context)
  return (req, res, next) => {
    identifyRequest(req, res)
    log(req, res)
    if (req.method !== 'OPTIONS' || isForOwnPage(context, req)) return next()
    const headers = headersOf(res, {
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Traceparent, X-Api-Key, X-Request-Id',
      'Access-Control-Max-Age': '86400',
    })
    res.writeHead(204, headers).end()
  }
}

/** Only this server's web app may use the relay, so preflight requests from other origins get no answer. */
function isForOwnPage({ relay }: HttpContext, { path }: Request): boolean {
  return relay !== null && path === relayPath
}

/** Refuses malformed URLs, and all requests during a shutdown. */
function admit({ closing }: HttpContext): RequestHandler {
  return (req, _res, next) => {
    if (closing()) {
      throw new ProblemError({ code: 'OVERLOADED', detail: 'The service is restarting; try again in a moment.' })
    }
    requireReadableUrl(req.url)
    next()
  }
}

/** Answers plain HTTP requests to the backer socket's path. */
function addSocketRoute(app: Express): void {
  app
    .route('/ws/rfq')
    .get(() => {
      throw new ProblemError({
        code: 'INVALID_REQUEST',
        status: 426,
        detail: 'This is the backer socket; connect with WebSocket.',
        headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
      })
    })
    .all(allow('GET'))
}

function answerError({ log, closing, metrics }: HttpContext): ErrorRequestHandler {
  return (err: unknown, _req, res, _next) => {
    const facts = problemOf(err)
    const requestId = requestIdOf(res)
    metrics.requestRefused(facts.code)
    if (facts.code === 'INTERNAL') log.error({ requestId, err }, 'request failed')
    else if (!(err instanceof ProblemError) && problemHeaders(facts)['Retry-After']) {
      log.warn({ requestId, err }, 'failed to serve a request')
    }
    if (res.closed) return
    if (res.headersSent) {
      res.destroy()
      return
    }
    const problem = formatProblem(facts, requestId)
    const headers = {
      'Content-Type': 'application/problem+json; charset=utf-8',
      ...problemHeaders(facts),
      ...(closing() && { Connection: 'close' }),
    }
    answer(res, problem.status, headers, JSON.stringify(problem))
  }
}
