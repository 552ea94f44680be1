import { serviceConfigShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getConfig = /* @__PURE__ */ endpoint({
  id: 'getConfig',
  method: 'get',
  path: '/config',
  tag: 'Service',
  summary: "This service's chain, contracts and limits",
  answers: { 200: { description: 'Chain, contracts, limits.', shape: serviceConfigShape } },
  problems: [],
})
