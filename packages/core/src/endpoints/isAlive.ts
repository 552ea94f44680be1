import { endpoint } from './endpoint.ts'

export const isAlive = /* @__PURE__ */ endpoint({
  id: 'isAlive',
  method: 'get',
  path: '/livez',
  root: true,
  tag: 'Service',
  summary: 'Whether the process is alive',
  answers: { 200: { description: 'The process is alive.' } },
  problems: [],
})
