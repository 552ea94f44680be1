import { endpoint } from './endpoint.ts'

export const getMetrics = /* @__PURE__ */ endpoint({
  id: 'getMetrics',
  method: 'get',
  path: '/metrics',
  root: true,
  tag: 'Service',
  summary: 'Metrics for Prometheus',
  answers: { 200: { description: 'Counters, gauges and histograms in the Prometheus text format.' } },
  problems: ['RATE_LIMITED'],
})
