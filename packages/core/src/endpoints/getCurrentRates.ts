import { currentRatesShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getCurrentRates = /* @__PURE__ */ endpoint({
  id: 'getCurrentRates',
  method: 'get',
  path: '/rates/current',
  tag: 'Markets',
  summary: 'The floating rate of every lending market',
  description: '`ratePerSec` is WAD per second. `apr` (simple) and `apy` (compounded) are percent.',
  answers: { 200: { description: 'One row per market.', shape: currentRatesShape } },
  problems: ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
})
