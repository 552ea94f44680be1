import type { Clock } from '@firmquote/core'
import type { Answer, Endpoint } from '@firmquote/core/endpoints'
import { checkCallOptions } from '../checkOptions.ts'
import { ConnectionError, InvalidResponseError, ServiceError } from '../errors.ts'
import { problemShape } from '../generated/decoders.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import { type CallGuard, type CallOptions, guardCall } from './callGuard.ts'
import {
  type CallInput,
  encodeRequest,
  encodeTarget,
  type JsonEndpoint,
  type StreamEndpoint,
} from './clientEndpoint.ts'
import { pause } from './pause.ts'
import { readText } from './readText.ts'
import { facts } from './responseFacts.ts'
import { keyedRetryDelay, readRetryDelay } from './retryPolicy.ts'
import { wasNeverSent } from './wasNeverSent.ts'

/** Options for the HTTP transport. */
export type HttpTransportOptions = {
  /** The base URL, without a trailing slash. */
  baseUrl: string
  /** An integrator's API key. */
  apiKey?: string | undefined
  fetch: typeof globalThis.fetch
  clock: Clock
  random: () => number
  /** Timeout of a call in milliseconds, unless the call sets its own. */
  timeoutMs: number
}

/** A JSON transport to a service. */
export type HttpTransport = {
  readonly clock: Clock
  readonly random: () => number
  readonly timeoutMs: number
  /**
   * Calls an endpoint. GET requests and those with an idempotency key are retried a few times if the connection fails
   * or the service specifies when to retry. Other requests are sent once.
   */
  call<E extends Endpoint>(endpoint: JsonEndpoint<E>, input?: CallInput<E>, options?: CallOptions): Promise<Answer<E>>
  /** Sends a request once and returns the response, leaving its body to be read as a stream. */
  open<E extends Endpoint>(endpoint: StreamEndpoint<E>, input: CallInput<E>, guard: CallGuard): Promise<Response>
}

/** Creates a transport. The transport holds no resources that need closing. */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const { baseUrl, clock, random, apiKey } = options

  async function request(path: string, init: RequestInit, guard: CallGuard): Promise<Response> {
    const early = guard.failure('no')
    if (early) throw early
    let response: Response
    try {
      response = await options.fetch(`${baseUrl}/api/v1${path}`, { ...init, signal: guard.signal })
    } catch (cause) {
      const sent = wasNeverSent(cause) ? 'no' : 'maybe'
      throw guard.failure('maybe') ?? new ConnectionError(`Failed to reach the service at ${baseUrl}.`, { sent, cause })
    }
    // Browsers hide the status of redirects that they do not follow.
    const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
    if (!isRedirect || init.redirect === 'follow') return response
    void response.body?.cancel().catch(() => {})
    throw new InvalidResponseError('The service redirected a request that must not be forwarded.', facts(response))
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
    if (!answered) throw refusal(response, body, options)
    return decodeAnswer(answer, body, `The answer to ${target}`, facts(response))
  }

  return {
    clock,
    random,
    timeoutMs: options.timeoutMs,
    async call(endpoint, input = {}, given = {}) {
      const { signal, timeoutMs = options.timeoutMs } = checkCallOptions(given)
      const { method } = endpoint
      const target = encodeTarget(endpoint, input)
      const retryDelay = method === 'GET' ? readRetryDelay : input.idempotencyKey === undefined ? null : keyedRetryDelay
      const init = { method, ...encodeRequest({ ...input, apiKey }, 'application/json') }
      const guard = guardCall(clock, { signal, timeoutMs })
      try {
        let earlier: unknown
        for (let attempt = 0; ; attempt++) {
          try {
            return await exchange(endpoint, target, init, guard)
          } catch (error) {
            const delay = retryDelay?.(error, attempt, random()) ?? null
            if (delay === null) throw withPreviousErrors(error, earlier)
            earlier = withPreviousErrors(error, earlier)
            await pause(clock, delay, guard)
          }
        }
      } finally {
        guard.release()
      }
    },
    async open(endpoint, input, guard) {
      const init = {
        method: endpoint.method,
        ...encodeRequest({ ...input, apiKey }, 'text/event-stream'),
        cache: 'no-store',
      } as const
      const response = await request(encodeTarget(endpoint, input), init, guard)
      if (!response.ok) throw refusal(response, await decodeJson(response, guard), options)
      return response
    },
  }
}

/** Merges errors from several attempts. `sent` is `'no'` only if no attempt can have reached the service. */
export function withPreviousErrors(error: unknown, earlier: unknown): unknown {
  if (!(error instanceof ConnectionError) || error.sent === 'maybe' || earlier === undefined) return error
  if (earlier instanceof ConnectionError && earlier.sent === 'no') return error
  return new ConnectionError(error.shortMessage, { sent: 'maybe', cause: error.cause })
}

async function decodeJson(response: Response, guard: CallGuard): Promise<unknown> {
  const text = await readText(response, guard)
  return parseAnswer(text, `The answer (status ${response.status})`, facts(response))
}

function isProblem(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
}

function refusal(
  response: Response,
  body: unknown,
  { clock, baseUrl }: Pick<HttpTransportOptions, 'clock' | 'baseUrl'>,
): ServiceError {
  const what = `The answer (status ${response.status})`
  const { code, detail, requestId, errors, details, docs } = decodeAnswer(problemShape, body, what, facts(response))
  return new ServiceError(code, detail, {
    status: response.status,
    requestId,
    issues: errors,
    facts: details,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), clock),
    docs: docs === undefined ? undefined : resolveDocs(docs, baseUrl),
  })
}

/**
 * Resolves a documentation link to the service's own origin. Drops other links, so that a service cannot send the user
 * to another site or a script.
 */
function resolveDocs(reference: string, baseUrl: string): string | undefined {
  const { origin } = new URL(baseUrl)
  if (!URL.canParse(reference, origin)) return undefined
  const url = new URL(reference, origin)
  return url.origin === origin && url.username === '' && url.password === '' ? url.href : undefined
}

/** Parses `Retry-After` (RFC 9110, 10.2.3): seconds or a date. */
function parseRetryAfter(text: string | null, clock: Clock): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
