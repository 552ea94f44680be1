import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'

/** Gives a request an id, its caller's if that is harmless to log and to send back. */
export function identifyRequest(req: Request, res: Response): void {
  const given = req.headers['x-request-id']
  res.locals['requestId'] = typeof given === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(given) ? given : randomUUID()
}

/** The id that {@link identifyRequest} gave. */
export function requestIdOf(res: Response): string {
  return String(res.locals['requestId'])
}
