/** Sampling of traces that begin in this program. */
export type TraceSampler = {
  /** Share of requests to trace, from 0 to 1. */
  share: number
  /** Whether a caller can opt out of tracing. */
  followsParent: boolean
}

/** Settings of the trace exporter. */
export type TracingSettings = {
  /** URL that spans are posted to. */
  url: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  sampler: TraceSampler
}

/** An environment variable: its description, its format, and a parser that returns undefined for an invalid value. */
type Variable<T> = { about: string; expected: string; parse: (text: string) => T | undefined }

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

/** OpenTelemetry's environment variables for traces. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    about: 'collector that receives traces by OTLP over HTTP as JSON; if unset, tracing is off',
    expected: 'an http:// or https:// URL like http://localhost:4318, without a user, a query or a fragment',
    parse: parseEndpoint,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    about: 'headers for the collector, as comma-separated `name=value` pairs; never logged',
    expected: 'comma-separated name=value pairs',
    parse: parseHeaders,
  },
  OTEL_SERVICE_NAME: {
    about: 'service name in traces',
    expected: 'at most 128 characters',
    parse: (text: string) => (text.length <= 128 ? text : undefined),
  },
  OTEL_TRACES_SAMPLER: {
    about: `which requests are traced: ${samplers.map((name) => `\`${name}\``).join(', ')}`,
    expected: `one of ${samplers.join(', ')}`,
    parse: (text: string) => samplers.find((name) => name === text),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    about: 'share of requests that a `traceidratio` sampler traces, from 0 to 1',
    expected: 'a number from 0 to 1',
    parse: (text: string) => (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text) ? Number(text) : undefined),
  },
} as const satisfies Record<string, Variable<unknown>>

/** Variables whose values are secret. */
export const secretTracingVariables = ['OTEL_EXPORTER_OTLP_HEADERS'] as const

/** Default of `OTEL_TRACES_SAMPLER`. */
export const defaultSampler: (typeof samplers)[number] = 'parentbased_always_on'

type Parsed = {
  [Name in keyof typeof tracingVariables]: NonNullable<ReturnType<(typeof tracingVariables)[Name]['parse']>> | null
}

/** Combines the variables into settings. Returns null if no collector is set. */
export function tracingSettings(given: Parsed, defaultName: string): TracingSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: sampler } = given
  if (url === null) return null
  return {
    url,
    headers: given.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: given.OTEL_SERVICE_NAME ?? defaultName,
    sampler: samplerOf(sampler ?? defaultSampler, given.OTEL_TRACES_SAMPLER_ARG ?? 1),
  }
}

function samplerOf(name: (typeof samplers)[number], share: number): TraceSampler {
  const followsParent = name.startsWith('parentbased_')
  if (name.endsWith('always_on')) return { share: 1, followsParent }
  return { share: name.endsWith('always_off') ? 0 : share, followsParent }
}

function parseEndpoint(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text)
  const isBare = [username, password, search, hash].every((part) => part === '') && !/[?#]/.test(text)
  if (!isBare || !['http:', 'https:'].includes(protocol)) return undefined
  return `${origin}${pathname.replace(/\/+$/, '')}/v1/traces`
}

/** Parses OpenTelemetry's header format: a percent-encoded list, as in the `baggage` header. */
function parseHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const part of text.split(',')) {
    const [, name, encoded] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? []
    const value = encoded && decode(encoded)
    if (name === undefined || !value || !/^[\t\x20-\x7e]+$/.test(value)) return undefined
    headers[name] = value
  }
  return headers
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
