import type { Clock } from '@firmquote/core/utils'
import { failureCode } from '@firmquote/core/utils'
import { steadyDelay } from '../backoff.ts'
import { ConnectionError, InvalidResponseError } from '../errors.ts'
import { type CallGuard, guardCall } from '../http/callGuard.ts'
import { pause } from '../http/pause.ts'
import { readPiece } from '../http/readText.ts'
import { facts } from '../http/responseFacts.ts'

/** How to send requests. `timeoutMs` limits a read with its retries. */
type Source = {
  fetch: typeof globalThis.fetch
  clock: Clock
  signal: AbortSignal | undefined
  timeoutMs: number
  authorization?: string
}

/** Statuses of a proof that is not ready, and of a service that restarts or limits its readers. */
const passing = [425, 429, 502, 503, 504]

/**
 * Reads a resource of at most `limit` bytes. Broken connections and busy services are retried until the timeout.
 *
 * @throws {InvalidResponseError} if the answer is longer, a redirect, or an error.
 * @throws {ConnectionError} if the connection breaks.
 * @throws {TimeoutError} if the read times out.
 * @throws {AbortedError} if the caller aborts.
 */
export async function readBytes(url: string, limit: number, source: Source): Promise<Uint8Array> {
  const { clock, signal, timeoutMs } = source
  const guard = guardCall(clock, { signal, timeoutMs })
  const end = clock.monotonic() + timeoutMs
  try {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await attemptRead(url, limit, source, guard)
      if ('bytes' in outcome) return outcome.bytes
      const delay = Math.max(outcome.waitMs, steadyDelay(attempt, Math.random()))
      if (clock.monotonic() + delay >= end) throw outcome.error
      await pause(clock, delay, guard)
    }
  } finally {
    guard.release()
  }
}

/** Returns the bytes, or an error after which a retry may succeed. */
async function attemptRead(
  url: string,
  limit: number,
  source: Source,
  guard: CallGuard,
): Promise<{ bytes: Uint8Array } | { error: Error; waitMs: number }> {
  const early = guard.failure('no')
  if (early) throw early
  try {
    const response = await open(url, source, guard)
    if (response.ok) return { bytes: await readBody(url, response, limit, guard) }
    void response.body?.cancel().catch(() => {})
    const error = new InvalidResponseError(`${shown(url)} answered with status ${response.status}.`, facts(response))
    if (!passing.includes(response.status)) throw error
    return { error, waitMs: 1_000 * (Number(response.headers.get('retry-after')) || 0) }
  } catch (error) {
    if (error instanceof ConnectionError) return { error, waitMs: 0 }
    throw error
  }
}

async function open(url: string, { fetch, authorization }: Source, guard: CallGuard): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, {
      signal: guard.signal,
      redirect: 'manual',
      ...(authorization !== undefined && { headers: { authorization } }),
    })
  } catch (cause) {
    const code = failureCode(cause)
    throw (
      guard.failure('maybe') ??
      new ConnectionError(`Failed to reach ${shown(url)}.`, {
        sent: 'maybe',
        details: code && `The cause is ${code}.`,
        cause,
      })
    )
  }
  // Browsers hide the status of redirects that they do not follow.
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status >= 400)) return response
  void response.body?.cancel().catch(() => {})
  throw new InvalidResponseError(`${shown(url)} redirects, which is not allowed.`, facts(response))
}

async function readBody(url: string, response: Response, limit: number, guard: CallGuard): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  for (;;) {
    const piece = await readPiece(response, reader, guard)
    if (piece === undefined) break
    size += piece.length
    if (size > limit) {
      void reader?.cancel().catch(() => {})
      throw new InvalidResponseError(`${shown(url)} answered with more than ${limit} bytes.`, facts(response))
    }
    pieces.push(piece)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** A URL without an auction's secret id. */
function shown(url: string): string {
  return url.replace(/(?<=\/rfq\/)[^/]+/, '…')
}
