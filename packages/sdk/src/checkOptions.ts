import { type Clock, InvalidInputError, parseIdempotencyKey, parseTraceparent } from '@firmquote/core'
import type { CallOptions } from './http/callGuard.ts'
import { rejectMisnamedOptions } from './rejectMisnamedOptions.ts'

// Timers of the platform fire at once when they are given more.
const longestTimeoutMs = 2 ** 31 - 1

const misnamed = {
  timeout: 'timeoutMs',
  idleTimeout: 'idleTimeoutMs',
  abortSignal: 'signal',
  idempotencykey: 'idempotencyKey',
  webSocket: 'WebSocket',
}

/** Every option that some call takes. */
type AnyOptions = CallOptions & {
  idleTimeoutMs?: number | undefined
  resumeTimeoutMs?: number | undefined
  idempotencyKey?: string | undefined
  traceparent?: string | undefined
}

/**
 * Copies the options of a call, checked.
 *
 * @throws {InvalidInputError} when one is misnamed, a time is not a number of milliseconds that a timer takes, or `idempotencyKey` or
 * `traceparent` is none.
 */
export function checkCallOptions<T extends AnyOptions>(options: T): T {
  const copy = { ...options }
  rejectMisnamedOptions(copy, misnamed)
  checkTimeout(copy.timeoutMs, 'timeoutMs')
  checkTimeout(copy.idleTimeoutMs, 'idleTimeoutMs')
  checkTimeout(copy.resumeTimeoutMs, 'resumeTimeoutMs')
  const { idempotencyKey: key } = copy
  if (key !== undefined && (typeof key !== 'string' || parseIdempotencyKey(key) === null)) {
    // An error does not show the key: it opens the auction.
    throw new InvalidInputError('must be 22 to 128 random characters of A-Z, a-z, 0-9, - and _.', {
      path: 'idempotencyKey',
    })
  }
  const { traceparent } = copy
  if (traceparent !== undefined && parseTraceparent(traceparent) === null) {
    throw new InvalidInputError('must be a traceparent of W3C Trace Context, version 00.', {
      path: 'traceparent',
      given: traceparent,
    })
  }
  return copy
}

/** What clients take from their environment. */
export type Environment = {
  clock?: Clock | undefined
  timeoutMs?: number | undefined
  auctionTimeoutMs?: number | undefined
  apiKey?: unknown
}

/**
 * Copies what a client takes from its environment, checked.
 *
 * @throws {InvalidInputError} when an option is misnamed, a time is not a number of milliseconds that a timer takes, or `apiKey` is none.
 */
export function checkEnvironment<T extends Environment>(options: T): T {
  const copy = { ...options }
  rejectMisnamedOptions(copy, misnamed)
  checkTimeout(copy.timeoutMs, 'timeoutMs')
  checkTimeout(copy.auctionTimeoutMs, 'auctionTimeoutMs')
  const { apiKey } = copy
  if (apiKey !== undefined && (typeof apiKey !== 'string' || !/^[\w-]{22,128}$/.test(apiKey))) {
    // An error does not show the key.
    throw new InvalidInputError('must be 22 to 128 characters of A-Z, a-z, 0-9, - and _.', { path: 'apiKey' })
  }
  return copy
}

/** @throws {InvalidInputError} when the time, if it is there, is not a number of milliseconds that a timer takes. */
export function checkTimeout(ms: unknown, path: string): void {
  if (ms === undefined || (typeof ms === 'number' && ms >= 0 && ms <= longestTimeoutMs)) return
  throw new InvalidInputError(`must be a number of milliseconds from 0 to ${longestTimeoutMs}.`, { path, given: ms })
}
