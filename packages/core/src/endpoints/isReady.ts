import { endpoint } from './endpoint.ts'

export const isReady = /* @__PURE__ */ endpoint({
  id: 'isReady',
  method: 'get',
  path: '/readyz',
  root: true,
  tag: 'Service',
  summary: 'Whether the service accepts new work',
  description: 'The database answers, the first sync is done and the latest known block is not too old.',
  answers: { 200: { description: 'The service is ready.' } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
})
