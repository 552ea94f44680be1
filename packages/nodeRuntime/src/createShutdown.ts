import type { Logger } from 'pino'

/** Graceful shutdown of a process. */
export type Shutdown = {
  /**
   * Sets the function that stops the program. Until this function is set, a signal ends the process without cleanup.
   */
  register(stop: () => Promise<void>): void
  /** Starts a graceful shutdown. A second signal ends the process immediately. */
  onSignal(signal: string): void
  /** Starts a graceful shutdown after an unexpected error. The exit code is 1. */
  onFailure(error: unknown): void
}

/**
 * Creates a graceful shutdown that runs at most once. The process exits after `timeoutMs` even if something is still
 * running.
 */
export function createShutdown(options: {
  log: Record<'info' | 'error', (facts: object, message: string) => void>
  timeoutMs: number
  exit: (code: number) => void
}): Shutdown {
  const { log, timeoutMs, exit } = options
  let stop: (() => Promise<void>) | undefined
  let ending: { code: number } | undefined

  const end = async (code: number) => {
    if (ending) {
      // A failure during shutdown must change the exit code but must not start a second shutdown.
      ending.code = Math.max(ending.code, code)
      return
    }
    ending = { code }
    const timer = setTimeout(() => {
      log.error({ timeoutMs }, 'graceful shutdown timed out; exiting')
      exit(1)
    }, timeoutMs)
    try {
      await stop?.()
    } catch (err) {
      log.error({ err }, 'graceful shutdown failed')
      ending.code = 1
    }
    clearTimeout(timer)
    log.info({}, 'stopped')
    exit(ending.code)
  }

  return {
    register(stopIt) {
      stop = stopIt
    },
    onSignal(signal) {
      if (ending) {
        exit(1)
        return
      }
      log.info({ signal }, 'stopping')
      void end(0)
    },
    onFailure(error) {
      log.error({ err: error }, 'unexpected error; stopping')
      void end(1)
    },
  }
}

/** Shuts this process down gracefully on signals, on uncaught errors, and when its parent process exits. */
export function createProcessShutdown(options: { log: Logger; timeoutMs: number }): Shutdown {
  const shutdown = createShutdown({ ...options, exit: (code) => process.exit(code) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shutdown.onSignal(signal))
  // Emitted when a parent process connected over IPC has exited.
  process.once('disconnect', () => shutdown.onSignal('disconnect'))
  process.on('uncaughtException', (error) => shutdown.onFailure(error))
  process.on('unhandledRejection', (error) => shutdown.onFailure(error))
  return shutdown
}
