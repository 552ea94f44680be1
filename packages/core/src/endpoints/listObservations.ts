import { observationFiltersShape, rfqObservationsShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const listObservations = /* @__PURE__ */ endpoint({
  id: 'listObservations',
  method: 'get',
  path: '/rfq/quotes/recent',
  tag: 'Auctions',
  summary: 'List quotes from recent auctions',
  query: observationFiltersShape,
  answers: { 200: { description: 'Observations, newest first.', shape: rfqObservationsShape } },
  problems: ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: ({ poolId }) => ({
    poolId: { pool: { summary: 'A pool', value: poolId } },
    limit: { ten: { summary: 'At most ten', value: '10' } },
  }),
})
