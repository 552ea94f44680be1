import type { Answer, Endpoint } from '@firmquote/core/endpoints'
import { type Clock, failureCode } from '@firmquote/core/utils'
import { checkCallOptions } from '../checkOptions.ts'
import { compareMarkets, marketRemedy, type TrustedMarket } from '../compareMarkets.ts'
import { ConnectionError, InvalidResponseError, ServiceError } from '../errors.ts'
import { problemShape } from '../generated/decoders.ts'
import { getConfig } from '../generated/endpoints.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import { type CallGuard, type CallOptions, guardCall } from './callGuard.ts'
import {
  type CallInput,
  encodeRequest,
  encodeTarget,
  type JsonEndpoint,
  type StreamEndpoint,
} from './clientEndpoint.ts'
import { pause, waitFor } from './pause.ts'
import { readText } from './readText.ts'
import { facts, unfit } from './responseFacts.ts'
import { keyedRetryDelay, readRetryDelay } from './retryPolicy.ts'
import { wasNeverSent } from './wasNeverSent.ts'

/** Options for the HTTP transport. */
export type HttpTransportOptions = {
  /** The base URL, without a trailing slash. */
  baseUrl: string
  /** The chain and contracts that the service must use. */
  market: TrustedMarket
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
   * Calls an endpoint. GET requests and those with an idempotency key are retried a few times if the connection fails,
   * a proxy responds with 502, 503 or 504, or the service specifies when to retry. Other requests are sent once.
   */
  call<E extends Endpoint>(endpoint: JsonEndpoint<E>, input?: CallInput<E>, options?: CallOptions): Promise<Answer<E>>
  /** Sends a request once and returns the response, leaving its body to be read as a stream. */
  open<E extends Endpoint>(endpoint: StreamEndpoint<E>, input: CallInput<E>, guard: CallGuard): Promise<Response>
}

/** Creates a transport. The transport holds no resources that need closing. */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const { baseUrl, clock, random, apiKey } = options
  // A long segment of the path may be a key, such as that of an RPC node passed by mistake.
  const shownUrl = baseUrl.replace(/(?<=[^/]\/)[^/]{20,}/g, '…')
  let marketCheck: Promise<void> | undefined

  async function request(path: string, init: RequestInit, guard: CallGuard): Promise<Response> {
    const early = guard.failure('no')
    if (early) throw early
    let response: Response
    try {
      response = await options.fetch(`${baseUrl}/api/v1${path}`, { ...init, signal: guard.signal })
    } catch (cause) {
      const code = failureCode(cause)
      const sent = wasNeverSent(code) ? 'no' : 'maybe'
      const details = code && `The cause is ${code}.`
      throw (
        guard.failure('maybe') ??
        new ConnectionError(`Failed to reach the service at ${shownUrl}.`, { sent, details, cause })
      )
    }
    // Browsers hide the status of redirects that they do not follow.
    const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
    if (!isRedirect || init.redirect === 'follow') return response
    void response.body?.cancel().catch(() => {})
    throw new InvalidResponseError('The service redirected a request that must not be forwarded.', facts(response))
  }

  async function exchange<E extends Endpoint>(
    endpoint: JsonEndpoint<E>,
    target: string,
    init: RequestInit,
    guard: CallGuard,
  ): Promise<Answer<E>> {
    const response = await request(target, init, guard)
    const what = describe(endpoint, response)
    const body = await decodeJson(response, what, guard)
    const answered = response.ok || (endpoint.statuses?.includes(response.status) && !isProblem(response))
    if (!answered) throw refusal(response, body, what, options)
    return decodeAnswer(endpoint.answer, body, what, unfit(response))
  }

  /** Names an answer by its endpoint, because parameters may be secret. */
  function describe({ method, path }: { method: string; path: string }, { status }: Response): string {
    return `The answer to ${method} ${shownUrl}/api/v1${path} (status ${status})`
  }

  /** Compares the service's market with the client's, once. Diagnostic reads work on any market. */
  async function checkMarket({ path }: { path: string }, guard: CallGuard): Promise<void> {
    if (path === '/config' || path === '/health' || guard.signal.aborted) return
    marketCheck ??= readMarket()
    await waitFor(marketCheck, guard, 'no')
  }

  async function readMarket(): Promise<void> {
    const guard = guardCall(clock, options)
    const config = await exchange(getConfig, getConfig.path, {}, guard)
      .catch((error: unknown) => {
        // The service may be old, and the check protects only from mistakes. A later call asks again after an outage.
        if (readRetryDelay(error, 0, 0) !== null) marketCheck = undefined
      })
      .finally(guard.release)
    if (config) compareMarkets(options.market, config, 'the service uses', marketRemedy)
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
        await checkMarket(endpoint, guard)
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
      const target = encodeTarget(endpoint, input)
      await checkMarket(endpoint, guard)
      const response = await request(target, init, guard)
      if (response.ok) return response
      const what = describe(endpoint, response)
      throw refusal(response, await decodeJson(response, what, guard), what, options)
    },
  }
}

/** Merges errors from several attempts. `sent` is `'no'` only if no attempt can have reached the service. */
export function withPreviousErrors(error: unknown, earlier: unknown): unknown {
  if (!(error instanceof ConnectionError) || error.sent === 'maybe' || earlier === undefined) return error
  if (earlier instanceof ConnectionError && earlier.sent === 'no') return error
  return new ConnectionError(error.shortMessage, { sent: 'maybe', details: error.details, cause: error.cause })
}

async function decodeJson(response: Response, what: string, guard: CallGuard): Promise<unknown> {
  return parseAnswer(await readText(response, guard), what, unfit(response))
}

function isProblem(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
}

function refusal(
  response: Response,
  body: unknown,
  what: string,
  { clock, baseUrl }: Pick<HttpTransportOptions, 'clock' | 'baseUrl'>,
): ServiceError {
  const { code, detail, requestId, errors, details, docs } = decodeAnswer(problemShape, body, what, unfit(response))
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
