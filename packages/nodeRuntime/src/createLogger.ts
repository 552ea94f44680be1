import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'
import { redactSecrets } from './redactSecrets.ts'

const hiddenFields = ['signature', 'privateKey', 'password', 'authorization', 'cookie']

/** Options for {@link createLogger}. */
export type LoggerOptions = {
  level: string
  /** Strings that must never be logged, such as keys, passwords and node URLs with a key. */
  secrets: readonly string[]
  /** Destination of the log. Default: standard error, written synchronously. */
  stream?: DestinationStream
}

/**
 * Creates a logger that writes one JSON object per line to standard error. Standard output is reserved for the line
 * that scripts wait for. The logger redacts the given secrets wherever they occur in a line.
 */
export function createLogger({ level, secrets, stream = destination({ dest: 2, sync: true }) }: LoggerOptions): Logger {
  // Escape the secrets as JSON does, because log lines are JSON.
  const hidden = secrets.map((secret) => JSON.stringify(secret).slice(1, -1))
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":${JSON.stringify(new Date().toISOString())}`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: hiddenFields.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
        censor: '<hidden>',
      },
      serializers: {
        err: (error: unknown) => {
          if (!(error instanceof Error)) return String(error)
          const { type, message, stack } = stdSerializers.err(error)
          return { type, ...('code' in error ? { code: error.code } : {}), message, stack }
        },
      },
    },
    { write: (line) => stream.write(redactSecrets(line, hidden)) },
  )
}
