import { endpoints } from '@firmquote/core/endpoints'
import { handle } from '../handle.ts'
import type { HttpContext } from '../httpContext.ts'
import { ProblemError, type ProblemFacts } from '../responses/problem.ts'

export const handleIsReady = handle(endpoints.isReady, ({ service, draining }) => async () => {
  const obstacle = draining()
    ? ({ code: 'OVERLOADED', detail: 'The service is stopping: it takes no new RFQs.' } as const)
    : await obstacleOf(service)
  if (obstacle) throw new ProblemError(obstacle)
  return 'ready\n'
})

/** Why the service cannot take new work, or null when it can. */
async function obstacleOf({ health, sync }: HttpContext['service']): Promise<ProblemFacts | null> {
  const { database } = await health()
  if (database === 'down') return { code: 'STORAGE_UNAVAILABLE', detail: 'The database cannot be read and written.' }
  const { head, state } = sync.status()
  if (head === null) return { code: 'CHAIN_UNAVAILABLE', detail: 'The chain has not been read yet.' }
  if (state === 'starting') return { code: 'CHAIN_UNAVAILABLE', detail: 'The first sync is not done yet.' }
  if (state === 'stale') return { code: 'CHAIN_UNAVAILABLE', detail: 'The newest known block is too old.' }
  return null
}
