import { backoffDelay, steadyDelay } from '../backoff.ts'
import { ConnectionError, InvalidResponseError, ServiceError, StreamError, TimeoutError } from '../errors.ts'

const readRetries = 2
const readBackoff = { baseMs: 200, capMs: 2_000 }
const maxRetryWaitMs = 5_000

/** The waits add up to at least 3.5 s. A restart of the service takes up to 2 s. */
const keyedRetries = 6

/**
 * Milliseconds before a read is retried, or null for no retry. Retries soon after a failed connection, and at the
 * stated time if the service states one. Pure.
 *
 * @param attempt 0 for the first attempt.
 * @param random A number from 0 up to 1.
 */
export function readRetryDelay(error: unknown, attempt: number, random: number): number | null {
  if (attempt >= readRetries) return null
  if (error instanceof ConnectionError) return backoffDelay(attempt, random, readBackoff)
  return askedWait(error)
}

/**
 * Like {@link readRetryDelay}, for a request with an idempotency key. It outlasts a restart of the service, even behind
 * a proxy that answers 502, 503 or 504 in the meantime. Pure.
 */
export function keyedRetryDelay(error: unknown, attempt: number, random: number): number | null {
  if (attempt >= keyedRetries) return null
  if (isOfLine(error) || isOfProxy(error)) return steadyDelay(attempt, random)
  const wait = askedWait(error)
  return wait === null ? null : Math.max(wait, steadyDelay(attempt, random))
}

/**
 * Milliseconds before a stream is resumed, or null after a rejection. Failures of the service or the connection are
 * retried. The caller bounds the number of retries. Pure.
 */
export function resumeDelay(error: unknown, attempt: number, random: number): number | null {
  if (isOfLine(error) || isOfProxy(error) || error instanceof TimeoutError) return steadyDelay(attempt, random)
  if (!(error instanceof ServiceError) || error.status === undefined || error.status < 500) return null
  return Math.max(error.retryAfterMs ?? 0, steadyDelay(attempt, random))
}

function askedWait(error: unknown): number | null {
  if (!(error instanceof ServiceError) || error.status !== 503 || error.retryAfterMs === undefined) return null
  return error.retryAfterMs <= maxRetryWaitMs ? error.retryAfterMs : null
}

function isOfLine(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof StreamError
}

function isOfProxy(error: unknown): boolean {
  return error instanceof InvalidResponseError && [502, 503, 504].includes(error.status ?? 0)
}
