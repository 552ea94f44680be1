import { poolFiltersShape, poolRatesShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getPoolRates = /* @__PURE__ */ endpoint({
  id: 'getPoolRates',
  method: 'get',
  path: '/pools/rates',
  tag: 'Markets',
  summary: 'The pools: floating rates, active series, and what can be fixed in each',
  description:
    'Depth and best rate are measured at a size: a quote counts if it can be taken and fixes at least half of the size and no more than all of it. The size is `notional`, by default 1 % of what each series can still take.',
  query: poolFiltersShape,
  answers: { 200: { description: 'Every pool.', shape: poolRatesShape } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  examples: ({ poolId }) => ({
    poolId: { pool: { summary: 'A pool', value: poolId } },
    notional: { size: { summary: '250,000 of a token with 6 decimals', value: '250000000000' } },
  }),
})
