import { describe, expect, test } from '@jest/globals'
import { tracingSettings, tracingVariables } from './tracingSettings.ts'

const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = tracingVariables
const none = {
  OTEL_EXPORTER_OTLP_ENDPOINT: null,
  OTEL_EXPORTER_OTLP_HEADERS: null,
  OTEL_SERVICE_NAME: null,
  OTEL_TRACES_SAMPLER: null,
  OTEL_TRACES_SAMPLER_ARG: null,
}

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  test.each([
    ['http://localhost:4318', 'http://localhost:4318/v1/traces'],
    ['https://traces.example.com/', 'https://traces.example.com/v1/traces'],
    ['https://example.com/otlp//', 'https://example.com/otlp/v1/traces'],
  ])('default: %s', (given, url) => {
    expect(endpoint.parse(given)).toBe(url)
  })

  test.each([
    'localhost:4318',
    'grpc://localhost:4317',
    'http://user:key@localhost',
    'http://localhost?key=1',
    'http://localhost#',
    '',
  ])('error: %j', (given) => {
    expect(endpoint.parse(given)).toBeUndefined()
  })
})

describe('OTEL_EXPORTER_OTLP_HEADERS', () => {
  test('default: names with values, percent-encoded', () => {
    expect(headers.parse('authorization=Basic%20abc, x-scope =team%2C1')).toEqual({
      authorization: 'Basic abc',
      'x-scope': 'team,1',
    })
  })

  test.each(['authorization', '=value', 'a=', 'a=%E0%A4%A', 'a=b%0d%0aInjected: 1', 'a b=c', 'a=1,,b=2'])(
    'error: %j',
    (given) => {
      expect(headers.parse(given)).toBeUndefined()
    },
  )
})

test('default: without a collector there are no traces', () => {
  expect(tracingSettings({ ...none, OTEL_TRACES_SAMPLER: 'always_on' }, 'firmquote-server')).toBeNull()
})

test('default: with a collector, every request is traced unless its caller opts out', () => {
  expect(tracingSettings({ ...none, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/v1/traces' }, 'firmquote-server')).toEqual({
    url: 'http://c/v1/traces',
    headers: {},
    serviceName: 'firmquote-server',
    sampler: { share: 1, followsParent: true },
  })
})

test.each([
  ['always_on', 0.5, { share: 1, followsParent: false }],
  ['always_off', 0.5, { share: 0, followsParent: false }],
  ['traceidratio', 0.5, { share: 0.5, followsParent: false }],
  ['traceidratio', null, { share: 1, followsParent: false }],
  ['parentbased_always_on', 0.5, { share: 1, followsParent: true }],
  ['parentbased_always_off', null, { share: 0, followsParent: true }],
  ['parentbased_traceidratio', 0, { share: 0, followsParent: true }],
] as const)('behavior: %s with %p', (name, share, sampler) => {
  const given = { ...none, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/v1/traces' }
  const settings = tracingSettings({ ...given, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }, 'name')
  expect(settings?.sampler).toEqual(sampler)
})

test('error: an invalid sampler, share and name', () => {
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share, OTEL_SERVICE_NAME: name } = tracingVariables
  expect([sampler.parse('jaeger_remote'), sampler.parse('toString')]).toEqual([undefined, undefined])
  expect(['-1', '1.1', '01', '.5', '1e-3', ''].map(share.parse)).toEqual(Array(6).fill(undefined))
  expect(['0', '0.25', '1', '1.0'].map(share.parse)).toEqual([0, 0.25, 1, 1])
  expect([name.parse('n'.repeat(128)), name.parse('n'.repeat(129))]).toEqual(['n'.repeat(128), undefined])
})
