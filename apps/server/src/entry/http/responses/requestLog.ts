import { randomUUID } from 'node:crypto'
import { type Endpoint, endpoints } from '@firmquote/core/endpoints'
import type { Request, Response } from 'express'
import { expressPath } from '../expressPath.ts'
import { type HttpContext, relayPath } from '../httpContext.ts'

/** Paths that are polled every few seconds. Requests for these paths are logged at debug level and not traced. */
export const quietPaths: ReadonlySet<string> = new Set(['/api/v1/health', '/livez', '/readyz', '/metrics', relayPath])

/** Endpoint IDs by method and path. */
const ids: ReadonlyMap<string, string> = new Map(
  Object.values<Endpoint>(endpoints).map((record) => [
    `${record.method.toUpperCase()} ${expressPath(record)}`,
    record.id,
  ]),
)

/**
 * Logs and counts each request once. The log entry contains the route, not the path or query, which may contain a
 * secret `rfqId`.
 */
export function logRequest({
  clock,
  log,
  metrics,
}: Pick<HttpContext, 'clock' | 'log' | 'metrics'>): (req: Request, res: Response) => void {
  return (req, res) => {
    const startedAt = clock.monotonic()
    res.once('close', () => {
      const route: unknown = req.route?.path
      const milliseconds = clock.monotonic() - startedAt
      metrics.requestEnded({
        route: ids.get(`${req.method} ${route}`) ?? 'none',
        status: res.writableFinished ? res.statusCode : 'aborted',
        seconds: milliseconds / 1_000,
      })
      const line = {
        requestId: requestIdOf(res),
        method: req.method,
        route: typeof route === 'string' ? route : 'unmatched',
        status: res.statusCode,
        durationMs: Math.round(milliseconds),
        ...(!res.writableFinished && { aborted: true }),
      }
      if (typeof route === 'string' && quietPaths.has(route) && res.statusCode === 200) log.debug(line, 'request')
      else log.info(line, 'request')
    })
  }
}

/** Assigns a request's ID: the client's if it is safe to log and return, otherwise a new one. */
export function identifyRequest(req: Request, res: Response): void {
  const given = req.headers['x-request-id']
  res.locals['requestId'] = typeof given === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(given) ? given : randomUUID()
}

/** Returns the ID set by {@link identifyRequest}. */
export function requestIdOf(res: Response): string {
  return String(res.locals['requestId'])
}
