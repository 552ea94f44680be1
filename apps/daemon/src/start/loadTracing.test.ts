import { expect, test } from '@jest/globals'
import { loadTracing } from './loadTracing.ts'

test('behavior: every variable counts', () => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com/otlp',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc',
    OTEL_SERVICE_NAME: 'maker-7',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  }
  expect(loadTracing(environment)).toEqual({
    url: 'https://traces.example.com/otlp/v1/traces',
    headers: { authorization: 'Basic abc' },
    serviceName: 'maker-7',
    sampler: { share: 0.5, followsParent: false },
  })
})

test('error: reports every mistake without values', () => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:key@localhost',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization: key',
    OTEL_TRACES_SAMPLER_ARG: '2',
  }
  expect(() => loadTracing(environment)).toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT is invalid .*OTEL_EXPORTER_OTLP_HEADERS is invalid .*OTEL_TRACES_SAMPLER_ARG is invalid/s,
  )
  expect(() => loadTracing(environment)).not.toThrow(/key@|: key/)
})
