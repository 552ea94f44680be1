import { poolFiltersShape, poolRatesShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getPoolRates = /* @__PURE__ */ endpoint({
  id: 'getPoolRates',
  method: 'get',
  path: '/pools/rates',
  tag: 'Markets',
  summary: 'The pools, with floating rates, active series and depth',
  description:
    "Depth and best rate are measured for a given size: a quote counts if it is executable and its notional is between half of the size and the full size. The size is `notional`, by default 1 % of each series' remaining capacity.",
  query: poolFiltersShape,
  answers: { 200: { description: 'Every pool.', shape: poolRatesShape } },
  problems: ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: ({ poolId }) => ({
    poolId: { pool: { summary: 'A pool', value: poolId } },
    notional: { size: { summary: '250,000 of a token with 6 decimals', value: '250000000000' } },
  }),
})
