import type { RateHistoryFilters } from '@firmquote/core'
import { endpoints } from '@firmquote/core/endpoints'
import { encodeJson } from '@firmquote/core/utils'
import { LRUCache } from 'lru-cache'
import { connectionNetworks } from '../../limitConnections.ts'
import { answered, handle } from '../handle.ts'
import { ProblemError } from '../responses/problem.ts'
import { sendShared } from '../responses/sendShared.ts'
import { packSharedBody, type SharedBody } from '../responses/sharedBody.ts'

/** Seconds for which the server and clients cache a response, and the maximum number of cached responses. */
const freshSeconds = 10
const maxCached = 20

/** Pools, rates and positions. */
export const marketRoutes = {
  getPoolRates: handle(endpoints.getPoolRates, ({ service: { markets } }) => async ({ query }, req) => ({
    pools: await markets.pools(query, connectionNetworks(req.ip).wider),
  })),

  getPositions: handle(
    endpoints.getPositions,
    ({ service: { markets } }) =>
      ({ query }) =>
        markets.positions(query),
  ),

  getCurrentRates: handle(endpoints.getCurrentRates, ({ service: { markets } }) => async () => ({
    rates: await markets.rates(),
  })),

  getRateHistory: handle(endpoints.getRateHistory, ({ service: { markets } }) => {
    const answers = new LRUCache<string, SharedBody, RateHistoryFilters>({
      max: maxCached,
      ttl: freshSeconds * 1_000,
      // A request whose entry is evicted still gets its answer.
      ignoreFetchAbort: true,
      async fetchMethod(_key, _stale, { context: filters }) {
        const history = await markets.history(filters)
        if (history) return packSharedBody('application/json; charset=utf-8', encodeJson(history))
        throw new ProblemError({ code: 'POOL_NOT_FOUND', detail: `There is no pool ${filters.poolId}.` })
      },
    })
    return async ({ query }, req, res) => {
      const key = `${query.poolId} ${query.from ?? ''} ${query.to ?? ''}`
      const body = await answers.forceFetch(key, { context: query })
      sendShared(req, res, body, { 'Cache-Control': `public, max-age=${freshSeconds}` })
      return answered
    }
  }),
}
