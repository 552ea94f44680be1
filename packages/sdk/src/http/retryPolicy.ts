import { backoffDelay, steadyDelay } from '../backoff.ts'
import { ConnectionError, InvalidResponseError, ServiceError, StreamError, TimeoutError } from '../errors.ts'

const readRetries = 2
const readBackoff = { baseMs: 200, capMs: 2_000 }
const longestRetryWaitMs = 5_000

/** Their waits take 3.5 s at least: a service that restarts is away for up to 2 s. */
const keyedRetries = 6

/**
 * Milliseconds until a read is tried again, or null when it is not: another try soon helps against a connection that
 * failed, a later one where the service says when. Pure.
 *
 * @param attempt 0 for the first try.
 * @param random a number from 0 up to 1.
 */
export function readRetryDelay(error: unknown, attempt: number, random: number): number | null {
  if (attempt >= readRetries) return null
  if (error instanceof ConnectionError) return backoffDelay(attempt, random, readBackoff)
  return askedWait(error)
}

/**
 * The same for a request that may be sent twice because it has a key: it outlasts the restart of a service, also one behind
 * a proxy, whose own answers (502, 503, 504) say that nobody is there. Pure.
 */
export function keyedRetryDelay(error: unknown, attempt: number, random: number): number | null {
  if (attempt >= keyedRetries) return null
  if (isOfLine(error) || isOfProxy(error)) return steadyDelay(attempt, random)
  const wait = askedWait(error)
  return wait === null ? null : Math.max(wait, steadyDelay(attempt, random))
}

/**
 * The wait before a stream is resumed: a refusal ends it (null), a failure of the service or of the line does not. How often
 * is the caller's to bound. Pure.
 */
export function resumeDelay(error: unknown, attempt: number, random: number): number | null {
  if (isOfLine(error) || isOfProxy(error) || error instanceof TimeoutError) return steadyDelay(attempt, random)
  if (!(error instanceof ServiceError) || error.status === undefined || error.status < 500) return null
  return Math.max(error.retryAfterMs ?? 0, steadyDelay(attempt, random))
}

function askedWait(error: unknown): number | null {
  if (!(error instanceof ServiceError) || error.status !== 503 || error.retryAfterMs === undefined) return null
  return error.retryAfterMs <= longestRetryWaitMs ? error.retryAfterMs : null
}

function isOfLine(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof StreamError
}

function isOfProxy(error: unknown): boolean {
  return error instanceof InvalidResponseError && [502, 503, 504].includes(error.status ?? 0)
}
