import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { HttpDoor } from '../httpDoor.ts'
import { relayPath } from '../relayRoutes.ts'

const quiet: ReadonlySet<string> = new Set(['/api/v1/health', '/livez', '/readyz', '/metrics', relayPath])

/**
 * Writes one line a request. It names the route, never the path or the query as they came: an RFQ's id opens its result,
 * so it is a secret.
 */
export function logRequest({ clock, log }: Pick<HttpDoor, 'clock' | 'log'>): (req: Request, res: Response) => void {
  return (req, res) => {
    const startedAt = clock.monotonic()
    res.once('close', () => {
      const route: unknown = req.route?.path
      const line = {
        requestId: requestIdOf(res),
        method: req.method,
        route: typeof route === 'string' ? route : 'unmatched',
        status: res.statusCode,
        durationMs: Math.round(clock.monotonic() - startedAt),
        ...(!res.writableFinished && { aborted: true }),
      }
      // Probes, and a page's look at its devnet, come every few seconds and say nothing as long as all is well.
      if (typeof route === 'string' && quiet.has(route) && res.statusCode === 200) log.debug(line, 'request')
      else log.info(line, 'request')
    })
  }
}

/** Gives a request an id, its caller's if that is harmless to log and to send back. */
export function identifyRequest(req: Request, res: Response): void {
  const given = req.headers['x-request-id']
  res.locals['requestId'] = typeof given === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(given) ? given : randomUUID()
}

/** The id that {@link identifyRequest} gave. */
export function requestIdOf(res: Response): string {
  return String(res.locals['requestId'])
}
