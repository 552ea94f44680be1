import { type TracingSettings, tracingSettings, tracingVariables } from '@firmquote/node-runtime/tracingSettings'
import { ConfigurationError } from '../errors.ts'

/**
 * Loads the trace settings from the environment. Returns null if no collector is set. An empty variable is treated as
 * unset.
 *
 * @throws {ConfigurationError} if a variable is invalid. Lists every mistake, but no values, because headers contain
 * keys.
 */
export function loadTracing(environment: Readonly<Record<string, string | undefined>>): TracingSettings | null {
  const mistakes: string[] = []
  const read = <Name extends keyof typeof tracingVariables>(name: Name) => {
    const { parse, expected } = tracingVariables[name]
    const given = environment[name]?.trim()
    if (!given) return null
    const value = parse(given)
    if (value !== undefined) return value as NonNullable<ReturnType<(typeof tracingVariables)[Name]['parse']>>
    mistakes.push(`  ${name} is invalid (its value is not shown); it must be ${expected}.`)
    return null
  }
  const given = {
    OTEL_EXPORTER_OTLP_ENDPOINT: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    OTEL_EXPORTER_OTLP_HEADERS: read('OTEL_EXPORTER_OTLP_HEADERS'),
    OTEL_SERVICE_NAME: read('OTEL_SERVICE_NAME'),
    OTEL_TRACES_SAMPLER: read('OTEL_TRACES_SAMPLER'),
    OTEL_TRACES_SAMPLER_ARG: read('OTEL_TRACES_SAMPLER_ARG'),
  }
  if (mistakes.length > 0) throw new ConfigurationError(`Invalid environment variables:\n${mistakes.join('\n')}`)
  return tracingSettings(given, 'firmquote-daemon')
}
