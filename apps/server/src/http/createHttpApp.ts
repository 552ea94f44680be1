import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import { addEndpoints, addLiveness } from './addEndpoints.ts'
import { allow, answer, headersOf } from './answers/answer.ts'
import { formatProblem, ProblemError, problemHeaders, problemOf } from './answers/problem.ts'
import { identifyRequest, logRequest, requestIdOf } from './answers/requestLog.ts'
import { requireReadableUrl } from './decodeRequest.ts'
import { addDescriptionRoutes } from './description/descriptionRoutes.ts'
import { type HttpDoor, relayPath } from './httpDoor.ts'
import { addDocsRoutes } from './page/docsRoutes.ts'
import { addLearnRoutes } from './page/learnRoutes.ts'
import { addPageRoutes } from './page/pageRoutes.ts'
import { addRelayRoutes } from './relayRoutes.ts'

/** Builds the HTTP side: the routes, and one form for every error. */
export function createHttpApp(door: HttpDoor): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  app.set('trust proxy', door.trustProxy)

  app.use(receive(door))
  addLiveness(app, door)
  app.use(admit(door))
  // Express tries one route after the other: the endpoints come first.
  addEndpoints(app, door)
  addSocketRoute(app)
  addDescriptionRoutes(app, door)
  addDocsRoutes(app, door)
  addLearnRoutes(app, door)
  addRelayRoutes(app, door)
  addPageRoutes(app, door)
  app.use(() => {
    throw new ProblemError({ code: 'NOT_FOUND', detail: 'There is no such endpoint.' })
  })
  app.use(answerError(door))
  return app
}

/** Gives every request an id and an entry in the log, and answers preflight requests (CORS). */
function receive(door: HttpDoor): RequestHandler {
  const log = logRequest(door)
  return (req, res, next) => {
    identifyRequest(req, res)
    log(req, res)
    if (req.method !== 'OPTIONS' || isForOwnPage(door, req)) return next()
    const headers = headersOf(res, {
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Api-Key, X-Request-Id',
      'Access-Control-Max-Age': '86400',
    })
    res.writeHead(204, headers).end()
  }
}

/** The relay is for this server's own page: a preflight request of any other page is not answered. */
function isForOwnPage({ relay }: HttpDoor, { path }: Request): boolean {
  return relay !== null && path === relayPath
}

/** Refuses every request while the service is closing, and URLs that cannot be read. */
function admit({ closing }: HttpDoor): RequestHandler {
  return (req, _res, next) => {
    if (closing()) {
      throw new ProblemError({ code: 'OVERLOADED', detail: 'The service is restarting; ask again in a moment.' })
    }
    requireReadableUrl(req.url)
    next()
  }
}

/** Answers a plain request for the path of the backer socket. */
function addSocketRoute(app: Express): void {
  app
    .route('/ws/rfq')
    .get(() => {
      throw new ProblemError({
        code: 'INVALID_REQUEST',
        status: 426,
        detail: 'This is the backer socket: open it as a WebSocket.',
        headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
      })
    })
    .all(allow('GET'))
}

function answerError({ log, closing, metrics }: HttpDoor): ErrorRequestHandler {
  return (err: unknown, _req, res, _next) => {
    const facts = problemOf(err)
    const requestId = requestIdOf(res)
    metrics.requestRefused(facts.code)
    if (facts.code === 'INTERNAL') log.error({ requestId, err }, 'a request failed')
    else if (!(err instanceof ProblemError) && problemHeaders(facts)['Retry-After']) {
      log.warn({ requestId, err }, 'a request could not be served')
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
