import type { Express } from 'express'
import { allow } from '../answers/allow.ts'
import { ProblemError } from '../answers/problem.ts'
import { noQuery, sendJson } from '../answers/sendJson.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { readQuery } from '../readRequest.ts'

/** What the service is and how it feels, and a word to whoever opens the socket's path without a socket. */
export function addServiceRoutes(app: Express, { service }: HttpDoor): void {
  app
    .route('/api/v1/config')
    .get((req, res) => {
      readQuery(req, noQuery)
      sendJson(res, 200, service.config)
    })
    .all(allow('GET'))

  app
    .route('/api/v1/health')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      const health = await service.health()
      sendJson(res, health.status === 'down' ? 503 : 200, health)
    })
    .all(allow('GET'))

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
