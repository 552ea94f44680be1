import type { Clock } from '@firmquote/core'
import type { Answer, Endpoint } from '@firmquote/core/endpoints'
import { backoffDelay } from '../backoff.ts'
import { checkCallOptions } from '../checkOptions.ts'
import { ConnectionError, ServiceError } from '../errors.ts'
import { problemShape } from '../generated/decoders.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import { type CallGuard, type CallOptions, guardCall } from './callGuard.ts'
import { type CallInput, encodeTarget, type JsonEndpoint, type StreamEndpoint } from './clientEndpoint.ts'
import { wasNeverSent } from './wasNeverSent.ts'

/** What the HTTP side of a client is made of. */
export type HttpTransportOptions = {
  /** Without a trailing slash. */
  baseUrl: string
  fetch: typeof globalThis.fetch
  clock: Clock
  random: () => number
  /** Milliseconds that a call may take when it does not say otherwise. */
  timeoutMs: number
}

/** Talks JSON with one service. */
export type HttpTransport = {
  readonly clock: Clock
  readonly timeoutMs: number
  /**
   * Calls an endpoint. A GET is tried again, at most twice, when the connection failed or the service says when to come
   * back; anything else is sent once, whatever happens.
   */
  call<E extends Endpoint>(endpoint: JsonEndpoint<E>, input?: CallInput<E>, options?: CallOptions): Promise<Answer<E>>
  /** Sends once and gives the answer with its body unread, for a stream. */
  open<E extends Endpoint>(endpoint: StreamEndpoint<E>, body: string, guard: CallGuard): Promise<Response>
}

const retries = 2
const longestRetryWaitMs = 5_000
const retryBackoff = { baseMs: 200, capMs: 2_000 }

/** Builds a transport. It holds no resource: nothing has to be closed. */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const { baseUrl, clock, random } = options

  async function request(path: string, init: RequestInit, guard: CallGuard): Promise<Response> {
    const early = guard.failure('no')
    if (early) throw early
    try {
      return await options.fetch(`${baseUrl}/api/v1${path}`, { ...init, signal: guard.signal })
    } catch (cause) {
      const sent = wasNeverSent(cause) ? 'no' : 'maybe'
      throw (
        guard.failure('maybe') ?? new ConnectionError(`The service at ${baseUrl} cannot be reached.`, { sent, cause })
      )
    }
  }

  async function exchange<E extends Endpoint>(
    { answer, statuses }: JsonEndpoint<E>,
    target: string,
    init: RequestInit,
    guard: CallGuard,
  ): Promise<Answer<E>> {
    const response = await request(target, init, guard)
    const body = await decodeJson(response, guard)
    const answered = response.ok || (statuses.includes(response.status) && !isProblem(response))
    if (!answered) throw refusal(response, body, clock)
    return decodeAnswer(answer, body, `The answer to ${target}`, facts(response))
  }

  /** Milliseconds until another try makes sense, or null when it does not. */
  function retryDelay(error: unknown, attempt: number): number | null {
    if (attempt >= retries) return null
    if (error instanceof ConnectionError) return backoffDelay(attempt, random(), retryBackoff)
    if (!(error instanceof ServiceError) || error.status !== 503 || error.retryAfterMs === undefined) return null
    return error.retryAfterMs <= longestRetryWaitMs ? error.retryAfterMs : null
  }

  return {
    clock,
    timeoutMs: options.timeoutMs,
    async call(endpoint, input = {}, given = {}) {
      const { signal, timeoutMs = options.timeoutMs } = checkCallOptions(given)
      const { method } = endpoint
      const target = encodeTarget(endpoint, input)
      const init =
        input.body === undefined ? { method, headers: accept } : { method, headers: sendJson, body: input.body }
      const guard = guardCall(clock, { signal, timeoutMs })
      try {
        for (let attempt = 0; ; attempt++) {
          try {
            return await exchange(endpoint, target, init, guard)
          } catch (error) {
            const delay = method === 'GET' ? retryDelay(error, attempt) : null
            if (delay === null) throw error
            await pause(clock, delay, guard)
          }
        }
      } finally {
        guard.release()
      }
    },
    async open({ method, path }, body, guard) {
      const headers = { ...sendJson, accept: 'text/event-stream' }
      const response = await request(path, { method, headers, body, cache: 'no-store' }, guard)
      if (!response.ok) throw refusal(response, await decodeJson(response, guard), clock)
      return response
    },
  }
}

/** What is known of an exchange, for an error. */
export function facts(response: Response): { status: number; requestId: string | undefined } {
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? undefined }
}

const accept = { accept: 'application/json' }
const sendJson = { ...accept, 'content-type': 'application/json' }

async function decodeJson(response: Response, guard: CallGuard): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (cause) {
    throw (
      guard.failure('maybe') ??
      new ConnectionError('The line broke while the answer came in.', { ...facts(response), sent: 'maybe', cause })
    )
  }
  return parseAnswer(text, `The answer (status ${response.status})`, facts(response))
}

function isProblem(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
}

function refusal(response: Response, body: unknown, clock: Clock): ServiceError {
  const what = `The answer (status ${response.status})`
  const { code, detail, requestId, errors, details } = decodeAnswer(problemShape, body, what, facts(response))
  return new ServiceError(code, detail, {
    status: response.status,
    requestId,
    issues: errors,
    facts: details,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), clock),
  })
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function parseRetryAfter(text: string | null, clock: Clock): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function pause(clock: Clock, ms: number, guard: CallGuard): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      guard.signal.removeEventListener('abort', onAbort)
      resolve()
    })
    const onAbort = () => {
      cancel()
      reject(guard.failure('maybe'))
    }
    if (guard.signal.aborted) onAbort()
    else guard.signal.addEventListener('abort', onAbort, { once: true })
  })
}
