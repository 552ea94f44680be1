import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import { answer, headersOf } from './answers/answer.ts'
import { formatProblem, ProblemError, problemHeaders, problemOf } from './answers/problem.ts'
import { identifyRequest, requestIdOf } from './answers/requestId.ts'
import { logRequest } from './answers/requestLog.ts'
import type { HttpDoor } from './httpDoor.ts'
import { addDocsRoutes } from './page/docsRoutes.ts'
import { addPageRoutes } from './page/pageRoutes.ts'
import { requireReadableUrl } from './readRequest.ts'
import { addDescriptionRoutes } from './routes/descriptionRoutes.ts'
import { addMarketRoutes } from './routes/marketRoutes.ts'
import { addLivenessRoute, addProbeRoutes } from './routes/probeRoutes.ts'
import { addQuoteRoutes } from './routes/quoteRoutes.ts'
import { addRelayRoutes, relayPath } from './routes/relayRoutes.ts'
import { addRfqRoutes } from './routes/rfqRoutes.ts'
import { addServiceRoutes } from './routes/serviceRoutes.ts'

/** Builds the HTTP side: the routes, and one form for every error. */
export function createHttpApp(door: HttpDoor): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  app.set('trust proxy', door.trustProxy)

  app.use(receive(door))
  addLivenessRoute(app)
  app.use(admit(door))
  // Express tries one route after the other: those that are in a hurry come first.
  addQuoteRoutes(app, door)
  addRfqRoutes(app, door)
  addProbeRoutes(app, door)
  addServiceRoutes(app, door)
  addMarketRoutes(app, door)
  addDescriptionRoutes(app, door)
  addDocsRoutes(app, door)
  addRelayRoutes(app, door)
  addPageRoutes(app, door)
  app.use(() => {
    throw new ProblemError({ code: 'NOT_FOUND', detail: 'There is no such endpoint.' })
  })
  app.use(answerError(door))
  return app
}

/** What happens to every request: an id and a line in the log, and an answer to a page that asks whether it may call. */
function receive(door: HttpDoor): RequestHandler {
  const log = logRequest(door)
  return (req, res, next) => {
    identifyRequest(req, res)
    log(req, res)
    if (req.method !== 'OPTIONS' || isForOwnPage(door, req)) return next()
    const headers = headersOf(res, {
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Allow-Headers': 'Content-Type, Last-Event-ID, X-Request-Id',
      'Access-Control-Max-Age': '86400',
    })
    res.writeHead(204, headers).end()
  }
}

/** No other page is told that it may call. */
function isForOwnPage({ relay }: HttpDoor, { path }: Request): boolean {
  return relay !== null && path === relayPath
}

/** Refuses everyone when the service is on its way out, and URLs that cannot be read. */
function admit({ closing }: HttpDoor): RequestHandler {
  return (req, _res, next) => {
    if (closing()) {
      throw new ProblemError({ code: 'OVERLOADED', detail: 'The service is restarting; ask again in a moment.' })
    }
    requireReadableUrl(req.url)
    next()
  }
}

function answerError({ log, closing }: HttpDoor): ErrorRequestHandler {
  return (err: unknown, _req, res, _next) => {
    const facts = problemOf(err)
    const requestId = requestIdOf(res)
    if (facts.code === 'INTERNAL') log.error({ requestId, err }, 'a request failed')
    else if (!(err instanceof ProblemError) && problemHeaders(facts)['Retry-After']) {
      log.warn({ requestId, err }, 'a request could not be served')
    }
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
