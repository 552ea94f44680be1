import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'

/** How a logger is made. */
export type LoggerOptions = {
  level: string
  /** Texts that must never be written, such as the node's address with the key in it. */
  secrets: readonly string[]
  /** Where the lines go; by default to standard error, at once. */
  stream?: DestinationStream
}

/**
 * Creates the log: one JSON object a line, on standard error, so that standard output keeps the one line that scripts
 * wait for. Signatures, credentials and the given secrets are left out wherever they turn up.
 */
export function createLogger({ level, secrets, stream }: LoggerOptions): Logger {
  const hidden = secrets.filter((secret) => secret !== '')
  const clean = (text: string) => hidden.reduce((cleaned, secret) => cleaned.replaceAll(secret, '<hidden>'), text)
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":${JSON.stringify(new Date().toISOString())}`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['signature', 'authorization', 'cookie'].flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
        censor: '<hidden>',
      },
      serializers: {
        err: (error: unknown) => {
          if (!(error instanceof Error)) return clean(String(error))
          const { type, message, stack } = stdSerializers.err(error)
          const code = 'code' in error ? { code: error.code } : {}
          return { type, ...code, message: clean(message), stack: clean(stack) }
        },
      },
    },
    stream ?? destination({ dest: 2, sync: true }),
  )
}
