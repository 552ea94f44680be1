import { type TracingSettings, tracingSettings } from '@firmquote/node-runtime/tracingSettings'
import type { Logger } from 'pino'
import type { Tracing } from '../ports/tracing.ts'
import type { Configuration } from './configuration.ts'

/** Sets up tracing. If no collector is configured, returns null without loading OpenTelemetry. */
export async function openTracing(
  configuration: Configuration,
  { log, version }: { log: Logger; version: string },
): Promise<Tracing | null> {
  const settings: TracingSettings | null = tracingSettings(configuration, configuration.OTEL_SERVICE_NAME)
  if (!settings) return null
  const { createOpenTelemetry } = await import('@firmquote/node-runtime/openTelemetry')
  log.info({ url: settings.url }, 'exporting traces')
  return createOpenTelemetry(settings, { log, version })
}
