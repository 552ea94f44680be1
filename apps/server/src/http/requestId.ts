import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'

const header = 'X-Request-Id'

/** Gives every request an id, its caller's if that is harmless to log and to send back. */
export const identifyRequest: RequestHandler = (req, res, next) => {
  const given = req.get(header)
  res.set(header, given !== undefined && /^[A-Za-z0-9-]{1,64}$/.test(given) ? given : randomUUID())
  next()
}

/** The id that {@link identifyRequest} gave. */
export function requestIdOf(res: ServerResponse): string {
  return String(res.getHeader(header))
}
