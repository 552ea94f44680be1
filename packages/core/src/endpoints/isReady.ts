import { endpoint } from './endpoint.ts'

export const isReady = /* @__PURE__ */ endpoint({
  id: 'isReady',
  method: 'get',
  path: '/readyz',
  root: true,
  tag: 'Service',
  summary: 'Whether the service accepts new work',
  description:
    'Responds with 200 if the database is reachable, the first sync is complete and the latest known block is recent enough.',
  answers: { 200: { description: 'The service is ready.' } },
  problems: ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE'],
})
