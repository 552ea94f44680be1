import type { Logger } from 'pino'

/** How a process ends. */
export type Shutdown = {
  /** Sets what has to be stopped. Before that there is nothing: a signal ends the process at once. */
  register(stop: () => Promise<void>): void
  /** A signal asks for an ordered end; a second one does not wait for it. */
  onSignal(signal: string): void
  /** Something failed unexpectedly: the process ends in order, and says so with its exit code. */
  onFailure(error: unknown): void
}

/** Ends a process once, in order, and in time: what has not stopped after `timeoutMs` is cut off. */
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
      // A failure on the way out must show in the exit code, but not start over.
      ending.code = Math.max(ending.code, code)
      return
    }
    ending = { code }
    const timer = setTimeout(() => {
      log.error({ timeoutMs }, 'the stop took too long; ending at once')
      exit(1)
    }, timeoutMs)
    try {
      await stop?.()
    } catch (err) {
      log.error({ err }, 'the stop did not go in order')
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
      log.error({ err: error }, 'an unexpected failure; stopping')
      void end(1)
    },
  }
}

/** Makes everything that would end this process end it in order: signals, the end of its parent, errors that are not caught. */
export function createProcessShutdown(options: { log: Logger; timeoutMs: number }): Shutdown {
  const shutdown = createShutdown({ ...options, exit: (code) => process.exit(code) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shutdown.onSignal(signal))
  // Started by another program with a channel to it: gone with that program, however it ends.
  process.once('disconnect', () => shutdown.onSignal('disconnect'))
  process.on('uncaughtException', (error) => shutdown.onFailure(error))
  process.on('unhandledRejection', (error) => shutdown.onFailure(error))
  return shutdown
}
