import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import { ConfigurationError } from '../ports/errors.ts'

/** Descriptors for everything but client connections: databases, nodes, NATS, threads, files. An idle server has 43. */
const ownDescriptors = 256
/** The server is out of descriptors if it cannot open this many more. A readiness probe needs a connection too. */
const headroom = 16
const [checkMs, logMs] = [1_000, 60_000]

/** Maximum number of open descriptors of this process; null if unknown or unlimited. Node raises it to the hard limit. */
export function readDescriptorLimit(): number | null {
  if (process.platform !== 'linux') return null
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return soft === undefined ? null : Number(soft)
}

/**
 * Counts this process's open descriptors; null if unknown.
 *
 * @param limit the count if there is no descriptor left for counting.
 */
export function countDescriptors(limit: number | null): number | null {
  if (process.platform !== 'linux') return null
  try {
    // One of them reads the folder.
    return readdirSync('/proc/self/fd').length - 1
  } catch (error) {
    if (isExhaustion(error)) return limit
    throw error
  }
}

/**
 * Checks that all connections that the settings allow can be open at once.
 *
 * @throws {ConfigurationError} if not.
 */
export function requireDescriptors(limit: number | null, maxConnections: number): void {
  const needed = maxConnections + ownDescriptors
  if (limit === null || limit >= needed) return
  const most = limit - ownDescriptors
  const smaller = most > 0 ? `, or set MAX_CONNECTIONS to ${most} or less` : ''
  throw new ConfigurationError(
    `This process may open ${limit} files, but MAX_CONNECTIONS=${maxConnections} needs ${needed}; raise the limit with ulimit -n, LimitNOFILE (systemd) or ulimits (Compose)${smaller}.`,
  )
}

/** Watches whether this process has descriptors left. */
export type DescriptorWatch = {
  isExhausted(): boolean
  /** Stops watching. */
  stop(): void
}

/**
 * Checks every second whether more descriptors can be opened. Node does not report that it drops new connections for
 * lack of a descriptor. The watch logs an exhaustion at once and every minute while it lasts, and then its end.
 *
 * @param open opens a descriptor and returns a function that closes it. Tests replace it.
 */
export function watchDescriptors(
  {
    clock,
    log,
    limit,
  }: { clock: Pick<Clock, 'after' | 'monotonic'>; log: Pick<Logger, 'info' | 'error'>; limit: number | null },
  open: () => () => void = openNull,
): DescriptorWatch {
  let since: number | null = null
  let loggedAt = Number.NEGATIVE_INFINITY
  let cancel = () => {}

  const check = () => {
    const now = clock.monotonic()
    const error = tryOpening(open)
    if (error) {
      since ??= now
      if (now - loggedAt >= logMs) {
        loggedAt = now
        log.error({ err: error, limit }, 'out of file descriptors; new connections are dropped')
      }
    } else if (since !== null) {
      log.info({ seconds: (now - since) / 1_000 }, 'file descriptors are available again')
      since = null
      loggedAt = Number.NEGATIVE_INFINITY
    }
    cancel = clock.after(checkMs, check)
  }
  cancel = clock.after(checkMs, check)
  return { isExhausted: () => since !== null, stop: () => cancel() }
}

/** Opens {@link headroom} descriptors and closes them. Returns the error if that exceeds the limit. */
function tryOpening(open: () => () => void): unknown {
  const closers: (() => void)[] = []
  try {
    while (closers.length < headroom) closers.push(open())
    return null
  } catch (error) {
    if (isExhaustion(error)) return error
    throw error
  } finally {
    for (const close of closers) close()
  }
}

function openNull(): () => void {
  const descriptor = openSync(devNull, 'r')
  return () => closeSync(descriptor)
}

/** Whether this process (`EMFILE`) or the machine (`ENFILE`) has no descriptors left. */
function isExhaustion(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(String((error as { code?: unknown }).code))
}
