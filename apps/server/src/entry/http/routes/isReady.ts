import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'
import type { HttpContext } from '../httpContext.ts'
import { ProblemError, type ProblemFacts } from '../responses/problem.ts'

export const handleIsReady = handle(endpoints.isReady, ({ service, draining }) => async () => {
  const obstacle = draining()
    ? ({ code: 'OVERLOADED', detail: 'The service is shutting down and accepts no new RFQs.' } as const)
    : await obstacleOf(service)
  if (obstacle) throw new ProblemError(obstacle)
  return 'ready\n'
})

/** Why the service does not accept new work; null if it does. */
async function obstacleOf({ health, sync }: HttpContext['service']): Promise<ProblemFacts | null> {
  const { database } = await health()
  if (database === 'down') return { code: 'STORAGE_UNAVAILABLE', detail: 'The database is not readable and writable.' }
  const { head, state } = sync.status()
  if (head === null) return { code: 'CHAIN_UNAVAILABLE', detail: 'The chain has not been read yet.' }
  if (state === 'starting') return { code: 'CHAIN_UNAVAILABLE', detail: 'The first sync is not complete yet.' }
  if (state === 'stale') return { code: 'CHAIN_UNAVAILABLE', detail: 'The newest block is too old.' }
  return null
}
