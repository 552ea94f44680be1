import { serviceHealthShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getHealth = /* @__PURE__ */ endpoint({
  id: 'getHealth',
  method: 'get',
  path: '/health',
  tag: 'Service',
  summary: "The service's health",
  answers: {
    200: { description: 'The service is up.', shape: serviceHealthShape },
    503: { description: 'The service is down.', shape: serviceHealthShape },
  },
  problems: ['RATE_LIMITED'],
})
