import { backoffDelay, steadyDelay } from '../backoff.ts'
import { ConnectionError, InvalidResponseError, ServiceError, StreamError, TimeoutError } from '../errors.ts'

const readRetries = 2
const readBackoff = { baseMs: 200, capMs: 2_000 }
const maxRetryWaitMs = 5_000

/** The waits total at least 3.5 s. The service restarts within 2 s. */
const keyedRetries = 6

/**
 * Returns the milliseconds to wait before retrying a read, or null to give up. Waits briefly after a failed connection
 * or a proxy's 502, 503 or 504, otherwise for as long as the service specifies. Pure.
 *
 * @param attempt 0 for the first attempt.
 * @param random A number from 0 (inclusive) to 1 (exclusive).
 */
export function readRetryDelay(error: unknown, attempt: number, random: number): number | null {
  if (attempt >= readRetries) return null
  if (isOfLine(error) || isOfProxy(error)) return backoffDelay(attempt, random, readBackoff)
  return askedWait(error)
}

/**
 * Like {@link readRetryDelay}, but for requests with an idempotency key. Retries last long enough for the service to
 * restart, even behind a proxy that responds with 502, 503 or 504 while it is down. Pure.
 */
export function keyedRetryDelay(error: unknown, attempt: number, random: number): number | null {
  if (attempt >= keyedRetries) return null
  if (isOfLine(error) || isOfProxy(error)) return steadyDelay(attempt, random)
  const wait = askedWait(error)
  return wait === null ? null : Math.max(wait, steadyDelay(attempt, random))
}

/**
 * Returns the milliseconds to wait before resuming a stream, or null if the service rejected it. Service and connection
 * failures are retried. The caller limits the number of retries. Pure.
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
