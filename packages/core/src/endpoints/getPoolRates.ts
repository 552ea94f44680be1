import { poolRatesShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getPoolRates = /* @__PURE__ */ endpoint({
  id: 'getPoolRates',
  method: 'get',
  path: '/pools/rates',
  tag: 'Markets',
  summary: 'The pools: floating rates, active series, and what can be fixed in each',
  description: 'Depth and best rate count quotes that can be taken, once each.',
  answers: { 200: { description: 'Every pool.', shape: poolRatesShape } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
})
