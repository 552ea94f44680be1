import { endpoints } from '@firmquote/core/endpoints'
import { takerAudience } from '@firmquote/core/protocol'
import { answered, handle, sendAnswer } from '../handle.ts'
import type { HttpContext } from '../httpContext.ts'
import { answer } from '../responses/answer.ts'
import { ProblemError, type ProblemFacts } from '../responses/problem.ts'

/** Configuration, health and metrics. */
export const operationRoutes = {
  getConfig: handle(endpoints.getConfig, ({ service: { config }, audience }) => () => ({
    ...config,
    takerAudience: takerAudience(audience()),
  })),

  getHealth: handle(endpoints.getHealth, ({ service }) => async (_input, _req, res) => {
    const health = await service.health()
    return health.status === 'down' ? sendAnswer(res, endpoints.getHealth, 503, health) : health
  }),

  isReady: handle(endpoints.isReady, ({ service, draining, outOfDescriptors }) => async () => {
    const detail = draining()
      ? 'The service is shutting down and accepts no new RFQs.'
      : outOfDescriptors() && 'The server has no file descriptors left for new connections.'
    const obstacle = detail ? ({ code: 'OVERLOADED', detail } as const) : await obstacleOf(service)
    if (obstacle) throw new ProblemError(obstacle)
    return 'ready\n'
  }),

  isAlive: handle(endpoints.isAlive, () => () => 'alive\n'),

  getMetrics: handle(endpoints.getMetrics, ({ service, metrics, sockets }) => async (_input, _req, res) => {
    const page = await metrics.write({ ...(await service.figures()), sockets: sockets() })
    answer(res, 200, { 'Content-Type': metrics.contentType }, page)
    return answered
  }),
}

/** Returns why the service is not accepting new work, or null if it is. */
async function obstacleOf({ health, sync }: HttpContext['service']): Promise<ProblemFacts | null> {
  const { database } = await health()
  if (database === 'down') return { code: 'STORAGE_UNAVAILABLE', detail: 'The database cannot be read and written.' }
  const { head, state, failing, disagrees } = sync.status()
  if (disagrees) return { code: 'CHAIN_DISAGREES', detail: 'The nodes have different finalized blocks.' }
  if (head === null) return { code: 'CHAIN_UNAVAILABLE', detail: 'The chain has not been read yet.' }
  if (state === 'starting') return { code: 'CHAIN_UNAVAILABLE', detail: 'The first sync is not complete yet.' }
  if (state === 'stale') return { code: 'CHAIN_UNAVAILABLE', detail: 'The newest block is too old.' }
  if (failing) return { code: 'CHAIN_UNAVAILABLE', detail: 'The node does not answer.' }
  return null
}
