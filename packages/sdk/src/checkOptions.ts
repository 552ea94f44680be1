import { parseIdempotencyKey, parseTraceparent } from '@firmquote/core/protocol'
import type { Clock } from '@firmquote/core/utils'
import { InvalidInputError } from './coreErrors.ts'
import type { CallOptions } from './http/callGuard.ts'
import { checkObject, rejectMisnamedOptions } from './rejectMisnamedOptions.ts'

// Timers with a longer delay fire immediately.
const maxTimeoutMs = 2 ** 31 - 1

const misnamed = {
  timeout: 'timeoutMs',
  idleTimeout: 'idleTimeoutMs',
  abortSignal: 'signal',
  idempotencykey: 'idempotencyKey',
  apikey: 'apiKey',
  webSocket: 'WebSocket',
}

/** The options of all calls. */
type AnyOptions = CallOptions & {
  idleTimeoutMs?: number | undefined
  resumeTimeoutMs?: number | undefined
  idempotencyKey?: string | undefined
  traceparent?: string | undefined
}

/**
 * Validates and copies the options of a call.
 *
 * @throws {InvalidInputError} if an option is misnamed, a time is not a number of milliseconds that timers support,
 * or `idempotencyKey` or `traceparent` is malformed.
 */
export function checkCallOptions<T extends AnyOptions>(options: T): T {
  checkObject(options, 'options', '{ timeoutMs }')
  const copy = { ...options }
  rejectMisnamedOptions(copy, misnamed)
  checkTimeout(copy.timeoutMs, 'timeoutMs')
  checkTimeout(copy.idleTimeoutMs, 'idleTimeoutMs')
  checkTimeout(copy.resumeTimeoutMs, 'resumeTimeoutMs')
  checkKey(copy.idempotencyKey, 'idempotencyKey', parseIdempotencyKey)
  const { traceparent } = copy
  if (traceparent !== undefined && parseTraceparent(traceparent) === null) {
    throw new InvalidInputError('must be a W3C Trace Context traceparent, version 00.', {
      path: 'traceparent',
      given: traceparent,
    })
  }
  return copy
}

/** Options common to all clients. */
export type Environment = {
  clock?: Clock | undefined
  timeoutMs?: number | undefined
  auctionTimeoutMs?: number | undefined
  apiKey?: unknown
}

/**
 * Validates and copies a client's options.
 *
 * @throws {InvalidInputError} if an option is misnamed, a time is not a number of milliseconds that timers support,
 * or `apiKey` is malformed.
 */
export function checkEnvironment<T extends Environment>(options: T): T {
  checkObject(options, 'options', '{ timeoutMs }')
  const copy = { ...options }
  rejectMisnamedOptions(copy, misnamed)
  checkTimeout(copy.timeoutMs, 'timeoutMs')
  checkTimeout(copy.auctionTimeoutMs, 'auctionTimeoutMs')
  checkKey(copy.apiKey, 'apiKey', (key) => key.match(/^[\w-]{22,128}$/))
  return copy
}

/** @throws {InvalidInputError} without the key, which is secret, if it is given but malformed. */
function checkKey(key: unknown, path: string, parse: (key: string) => unknown): void {
  if (key === undefined || (typeof key === 'string' && parse(key) !== null)) return
  throw new InvalidInputError('must be 22 to 128 random characters of A-Z, a-z, 0-9, - and _.', { path })
}

/** @throws {InvalidInputError} if the time is given but is not a number of milliseconds that timers support. */
export function checkTimeout(ms: unknown, path: string): void {
  if (ms === undefined || (typeof ms === 'number' && ms >= 0 && ms <= maxTimeoutMs)) return
  throw new InvalidInputError(`must be a number of milliseconds from 0 to ${maxTimeoutMs}.`, { path, given: ms })
}
