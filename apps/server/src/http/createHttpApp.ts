import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { addDescriptionRoutes } from './descriptionRoutes.ts'
import { addDocsRoutes } from './docsRoutes.ts'
import type { HttpDoor } from './httpDoor.ts'
import { addMarketRoutes } from './marketRoutes.ts'
import { addLivenessRoute, addProbeRoutes } from './probeRoutes.ts'
import { formatProblem, ProblemError, problemHeaders, problemOf } from './problem.ts'
import { addQuoteRoutes } from './quoteRoutes.ts'
import { requireReadableUrl } from './readRequest.ts'
import { identifyRequest, requestIdOf } from './requestId.ts'
import { logRequest } from './requestLog.ts'
import { addRfqRoutes } from './rfqRoutes.ts'
import { addServiceRoutes } from './serviceRoutes.ts'

/** Builds the HTTP side: the routes, and one form for every error. */
export function createHttpApp(door: HttpDoor): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  app.set('trust proxy', door.trustProxy)

  app.use(identifyRequest, logRequest(door), setCommonHeaders)
  addLivenessRoute(app)
  app.use(refuseWhenClosing(door), requireReadableUrl)
  addProbeRoutes(app, door)
  addServiceRoutes(app, door)
  addQuoteRoutes(app, door)
  addRfqRoutes(app, door)
  addMarketRoutes(app, door)
  addDescriptionRoutes(app, door)
  addDocsRoutes(app, door)
  app.use(() => {
    throw new ProblemError({ code: 'NOT_FOUND', detail: 'There is no such endpoint.' })
  })
  app.use(answerError(door))
  return app
}

/** The API is public and knows no cookies, so every page may call it. */
const setCommonHeaders: RequestHandler = (req, res, next) => {
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Allow, Location',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  if (req.method !== 'OPTIONS') return next()
  res.set({
    'Access-Control-Allow-Methods': 'GET, POST, DELETE',
    'Access-Control-Allow-Headers': 'Content-Type, Last-Event-ID, X-Request-Id',
    'Access-Control-Max-Age': '86400',
  })
  res.status(204).end()
}

function refuseWhenClosing(door: HttpDoor): RequestHandler {
  return (_req, _res, next) => {
    if (!door.closing()) return next()
    throw new ProblemError({ code: 'OVERLOADED', detail: 'The service is restarting; ask again in a moment.' })
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
    res.set(problemHeaders(facts))
    if (closing()) res.set('Connection', 'close')
    res.status(problem.status).type('application/problem+json').send(JSON.stringify(problem))
  }
}
