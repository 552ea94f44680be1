import { type Clock, guardInput, InvalidInputError, parseIdempotencyKey, parseTraceparent } from '@firmquote/core'
import { checkNames, type Names } from './checkNames.ts'
import type { CallOptions } from './http/callGuard.ts'

// Timers of the platform fire at once when they are given more.
const longestTimeoutMs = 2 ** 31 - 1

/** The options that every call takes. */
export const callNames: Names<CallOptions> = { signal: 1, timeoutMs: 1 }

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
 * @param names of the options that the call takes.
 * @throws {InvalidInputError} when there is another one, `signal` is not an AbortSignal, a time is not a number of milliseconds that a timer takes,
 * or `idempotencyKey` or `traceparent` is none.
 */
export function checkCallOptions<T extends AnyOptions>(
  options: T,
  names: Readonly<Record<string, unknown>> = callNames,
): T {
  const copy = guardInput('options', () => ({ ...options }))
  checkNames(copy, names)
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
  checkMethods(copy.signal, ['addEventListener', 'removeEventListener'], 'signal')
  return copy
}

/** What clients take from their environment. */
export type Environment = {
  fetch?: unknown
  WebSocket?: unknown
  random?: unknown
  clock?: Clock | undefined
  timeoutMs?: number | undefined
  auctionTimeoutMs?: number | undefined
  apiKey?: unknown
}

/**
 * Copies what a client takes from its environment, checked.
 *
 * @param names of what the client takes.
 * @throws {InvalidInputError} when there is something else, or one of them is not what it must be.
 */
export function checkEnvironment<T extends Environment>(options: T, names: Names<T>): T {
  const copy = guardInput('options', () => ({ ...options }))
  checkNames(copy, names)
  for (const name of ['fetch', 'WebSocket', 'random'] as const) {
    const value = copy[name]
    if (value !== undefined && typeof value !== 'function') {
      throw new InvalidInputError('must be a function.', { path: name, given: value })
    }
  }
  checkMethods(copy.clock, ['now', 'monotonic', 'after'], 'clock')
  checkTimeout(copy.timeoutMs, 'timeoutMs')
  checkTimeout(copy.auctionTimeoutMs, 'auctionTimeoutMs')
  const { apiKey } = copy
  if (apiKey !== undefined && (typeof apiKey !== 'string' || !/^[\w-]{22,128}$/.test(apiKey))) {
    // An error does not show the key.
    throw new InvalidInputError('must be 22 to 128 characters of A-Z, a-z, 0-9, - and _.', { path: 'apiKey' })
  }
  return copy
}

/** @throws {InvalidInputError} when the object, if it is there, lacks one of the methods. */
export function checkMethods(value: unknown, methods: readonly string[], path: string): void {
  if (value === undefined || value === null) return
  guardInput(path, () => {
    for (const method of methods) {
      if (typeof (value as Record<string, unknown>)[method] === 'function') continue
      throw new InvalidInputError(`must have a method ${method}.`, { path, given: value })
    }
  })
}

/** @throws {InvalidInputError} when the time, if it is there, is not a number of milliseconds that a timer takes. */
export function checkTimeout(ms: unknown, path: string): void {
  if (ms === undefined || (typeof ms === 'number' && ms >= 0 && ms <= longestTimeoutMs)) return
  throw new InvalidInputError(`must be a number of milliseconds from 0 to ${longestTimeoutMs}.`, { path, given: ms })
}
