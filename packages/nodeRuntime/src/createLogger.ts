import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'
import { hideSecrets } from './hideSecrets.ts'

const hiddenFields = ['signature', 'privateKey', 'password', 'authorization', 'cookie']

/** How a logger is made. */
export type LoggerOptions = {
  level: string
  /** Texts that must never be written: a key, a password, a node's address with a key in it. */
  secrets: readonly string[]
  /** Where the log is written; by default to standard error, at once. */
  stream?: DestinationStream
}

/**
 * Creates the log: one JSON object per line, on standard error, so that standard output keeps the one line that scripts
 * wait for. Whatever is written goes through one last gate that takes the given secrets out, wherever they turn up.
 */
export function createLogger({ level, secrets, stream = destination({ dest: 2, sync: true }) }: LoggerOptions): Logger {
  // As they stand in JSON.
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
    { write: (line) => stream.write(hideSecrets(line, hidden)) },
  )
}
