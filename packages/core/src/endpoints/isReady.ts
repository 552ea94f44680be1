import { endpoint } from './endpoint.ts'

export const isReady = /* @__PURE__ */ endpoint({
  id: 'isReady',
  method: 'get',
  path: '/readyz',
  root: true,
  tag: 'Service',
  summary: 'Whether the service takes new work',
  description: 'The database answers, the first sync is done and the newest known block is not too old.',
  answers: { 200: { description: 'It does.' } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
})
