import type { Express, Response } from 'express'
import { allow } from '../answers/allow.ts'
import { answer } from '../answers/answer.ts'
import { ProblemError, type ProblemFacts } from '../answers/problem.ts'
import { noQuery } from '../answers/sendJson.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { readQuery } from '../readRequest.ts'

/** Whether the process answers at all; also while it is on its way out. */
export function addLivenessRoute(app: Express): void {
  app
    .route('/livez')
    .get((req, res) => {
      readQuery(req, noQuery)
      sendText(res, 'alive\n')
    })
    .all(allow('GET'))
}

/** What machines watch the service by. */
export function addProbeRoutes(app: Express, { service, metrics }: Pick<HttpDoor, 'service' | 'metrics'>): void {
  app
    .route('/readyz')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      const obstacle = await obstacleOf(service)
      if (obstacle) throw new ProblemError(obstacle)
      sendText(res, 'ready\n')
    })
    .all(allow('GET'))

  app
    .route('/metrics')
    .get(async (req, res) => {
      readQuery(req, noQuery)
      const { open, backers } = service.hub.count()
      const { lagSeconds } = service.sync.status()
      const page = await metrics.write({ openAuctions: open, backers, lagSeconds })
      answer(res, 200, { 'Content-Type': metrics.contentType }, page)
    })
    .all(allow('GET'))
}

function sendText(res: Response, text: string): void {
  answer(res, 200, { 'Content-Type': 'text/plain; charset=utf-8' }, text)
}

/** Why the service cannot take new work, or null when it can. */
async function obstacleOf({ health, sync }: HttpDoor['service']): Promise<ProblemFacts | null> {
  const { database } = await health()
  if (database === 'down') return { code: 'STORAGE_UNAVAILABLE', detail: 'The database does not answer.' }
  const { head, state } = sync.status()
  if (head === null) return { code: 'CHAIN_UNAVAILABLE', detail: 'The chain has not been read yet.' }
  if (state === 'starting') return { code: 'CHAIN_UNAVAILABLE', detail: 'The first sync is not done yet.' }
  if (state === 'stale') return { code: 'CHAIN_UNAVAILABLE', detail: 'The newest known block is too old.' }
  return null
}
