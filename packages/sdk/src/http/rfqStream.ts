import type { RFQProgressEvent, RFQResult, RFQStreamEvent, RfqId } from '@firmquote/core'
import { formatEventId } from '@firmquote/core/protocol'
import type { Hex } from 'viem'
import {
  AbortedError,
  ConnectionError,
  InvalidResponseError,
  ServiceError,
  StreamError,
  TimeoutError,
} from '../errors.ts'
import { followAuction, getAuction, streamQuotes } from '../generated/endpoints.ts'
import { type CallGuard, type CallOptions, guardCall } from './callGuard.ts'
import { readEventLine } from './eventLine.ts'
import { type HttpTransport, withPreviousErrors } from './httpTransport.ts'
import { checkResult, createEventJudge } from './judgeAuction.ts'
import { pause } from './pause.ts'
import { facts } from './responseFacts.ts'
import { keyedRetryDelay, resumeDelay } from './retryPolicy.ts'
import { cursorAfter, type StreamCursor } from './streamCursor.ts'

/**
 * A numbered event of an auction's stream.
 *
 * @inline
 */
type NumberedEvent = Exclude<RFQStreamEvent, { type: 'error' }>

/**
 * An event of an auction's stream. Excludes the service's `error` events, after which the client resumes the stream.
 * `progress` events have no `id` and are best effort: older services send none.
 */
export type RFQAuctionEvent = NumberedEvent | RFQProgressEvent

/**
 * Options for a stream. `timeoutMs` applies to opening the auction, including retries, and to each attempt to resume
 * the stream. By default, each attempt uses the client's timeout. Opening the auction may take 30 000 ms or the
 * client's timeout, whichever is longer. While the connection is alive, the stream itself has no timeout.
 */
export type StreamOptions = CallOptions & {
  /**
   * Milliseconds of silence after which the connection is considered dead. The service sends data at least every 5 s.
   * Default 20 000. Once the auction has closed, 2 000 ms of silence are enough, doubled by each failed attempt.
   */
  idleTimeoutMs?: number | undefined
  /**
   * Milliseconds without a connection or a new event after which the stream fails. 0 disables resuming. By default, the
   * client keeps trying until 60 s after the auction closes and then requests the result. If the closing time is
   * unknown, the default is 30 000 ms.
   */
  resumeTimeoutMs?: number | undefined
}

/**
 * Where a stream starts: with a request that opens an auction, or after position `seq` of an auction (-1 for the
 * beginning).
 */
export type StreamStart = ({ body: string; key: string } | { rfqId: RfqId; seq: number }) & {
  /** The caller's trace context. */
  traceparent?: string | undefined
}

const maxOpeningMs = 30_000
/** Maximum duration of an auction on any service. */
const maxAuctionMs = 600_000
/** Maximum time a stream may continue after its auction closes. */
const afterCloseMs = 60_000
/** Milliseconds of silence after the close, doubled by each failure. Instances close an auction within 1 s. */
const lateMs = 2_000
const unknownCloseResumeMs = 30_000
/** Maximum number of duplicate events per connection. */
const maxRepeated = 10_000

/**
 * Opens or follows an auction and yields each numbered event once, in order, until the auction is done. If a connection ends,
 * breaks or goes silent, the client resumes on a new one, after the last event. One minute after the auction closes,
 * measured by the monotonic clock, the remaining events are derived from the auction's result. Leaving the loop ends
 * the request.
 */
export async function* streamRfq(
  transport: HttpTransport,
  start: StreamStart,
  { signal, timeoutMs, idleTimeoutMs = 20_000, resumeTimeoutMs }: StreamOptions,
): AsyncGenerator<RFQAuctionEvent, void, undefined> {
  const { clock } = transport
  const tryMs = timeoutMs ?? transport.timeoutMs
  let place: StreamCursor = 'key' in start ? { rfqId: null, seq: -1 } : start
  let isFresh = true
  /** Number of failed attempts since the last new event. */
  let failures = 0
  let earlier: unknown
  let delay = 0
  /** Monotonic deadline, extended while the connection is alive. */
  let givesUpAt = clock.monotonic() + (timeoutMs ?? Math.max(maxOpeningMs, tryMs))
  /**
   * Monotonic deadline that applies whether or not the connection is alive. Recomputed once the auction's closing time
   * is known.
   */
  let endsAt =
    clock.monotonic() +
    (place.rfqId === null ? Math.max(maxOpeningMs, tryMs) + idleTimeoutMs : maxAuctionMs + afterCloseMs)
  /** When the auction closes, by the monotonic clock. 0 until known. */
  let closesAt = 0
  const isWhole = place.seq === -1
  const judge = createEventJudge(isWhole, 'body' in start ? start.body : undefined)
  const shown = new Set<Hex>()

  for (;;) {
    const guard = guardCall(clock, { signal, timeoutMs: tryMs })
    let isOpened = false
    let heardAt: number | null = null
    let failure: unknown
    let repeated = 0
    const atMost = (ms: number) => {
      const now = clock.monotonic()
      const until = failures > 0 && heardAt === null ? Math.min(givesUpAt, endsAt) : endsAt
      // A paused instance keeps its connections open, so silence after the close ends a connection soon.
      const silence = (heardAt ?? 0) < closesAt ? Math.max(0, closesAt - now) + lateMs * 2 ** failures : ms
      return Math.max(0, Math.min(ms, silence, until - now))
    }
    const onBytes = () => {
      const now = clock.monotonic()
      if (now >= endsAt) throw interrupted(place.rfqId)
      if (heardAt !== null) givesUpAt += now - heardAt
      heardAt = now
    }
    try {
      guard.pause()
      if (failures > 0) await pause(clock, delay, guard)
      guard.restart(atMost(tryMs))
      const response = await openLine(transport, start, place, guard)
      isOpened = true
      const options = { guard, silenceMs: () => atMost(idleTimeoutMs), onBytes }
      for await (const event of readEventLine(response, options)) {
        if (event.type === 'error') {
          const { code, message } = event.data
          const { rfqId } = place
          failure = interrupted(rfqId, new StreamError(code, message, { ...facts(response), rfqId }))
          break
        }
        if (event.type === 'progress') {
          if (place.seq >= 0) yield event
          continue
        }
        const next = cursorAfter(place, event, facts(response))
        if (next === 'repeated') {
          repeated += 1
          if (repeated > maxRepeated) {
            throw new InvalidResponseError('The stream repeats its events endlessly.', facts(response))
          }
          continue
        }
        if (next === 'missing') break
        judge(event, facts(response))
        place = next
        if (event.type === 'started') {
          const { data } = event
          closesAt = clock.monotonic() + Math.min(Math.max(data.closesAt - data.openedAt, 0), maxAuctionMs)
          endsAt = closesAt + afterCloseMs
        }
        if (event.type === 'quote') shown.add(event.data.hash)
        isFresh = false
        failures = 0
        earlier = undefined
        yield event
        if (event.type === 'done') return
      }
    } catch (error) {
      const isLine = isOpened && (error instanceof ConnectionError || error instanceof TimeoutError)
      failure = isLine ? interrupted(place.rfqId, error) : error
    } finally {
      guard.release()
    }

    failure ??= interrupted(place.rfqId)
    const now = clock.monotonic()
    const isOpening = place.rfqId === null
    if (failures === 0 && !isOpening) {
      givesUpAt = now + (resumeTimeoutMs ?? (closesAt > 0 ? Number.POSITIVE_INFINITY : unknownCloseResumeMs))
    }
    const wait = (isOpening ? keyedRetryDelay : resumeDelay)(failure, failures, transport.random())
    if (wait === null || now + wait >= Math.min(givesUpAt, endsAt)) {
      if (isOpening) throw withPreviousErrors(failure, earlier)
      if (wait !== null && now + wait < givesUpAt) {
        const result = await loadClosed(transport, place.rfqId, { signal, timeoutMs: tryMs })
        if (result) {
          for (const event of eventsOf(result, { seq: place.seq, isWhole, shown })) {
            judge(event, {})
            yield event
          }
          return
        }
      }
      // If the service rejects the request before the first event, the client does not retry. Malformed responses are
      // never retried.
      if (wait === null && (isFresh || !(failure instanceof ServiceError))) throw failure
      throw failure instanceof StreamError ? failure : interrupted(place.rfqId, failure)
    }
    earlier = withPreviousErrors(failure, earlier)
    delay = wait
    failures += 1
  }
}

/** Loads a closed auction's result. Returns null if the result is not available. */
async function loadClosed(
  transport: HttpTransport,
  rfqId: RfqId | null,
  options: CallOptions,
): Promise<RFQResult | null> {
  if (rfqId === null) return null
  try {
    const result = checkResult(await transport.call(getAuction, { parameters: { rfqId } }, options))
    return result.rfqId === rfqId && result.status === 'closed' ? result : null
  } catch (error) {
    if (error instanceof AbortedError) throw error
    return null
  }
}

/** The seen part of a stream: its last position, whether it started at the beginning, and its quotes. */
type Shown = { seq: number; isWhole: boolean; shown: ReadonlySet<Hex> }

/** Returns a result's events that the reader has not yet seen. */
function eventsOf(result: RFQResult, { seq, isWhole, shown }: Shown): NumberedEvent[] {
  const { status: _, closedAt, rejectedCount, interrupted, best, quotes, ...terms } = result
  const { rfqId } = terms
  let place = seq
  const id = () => {
    place += 1
    return formatEventId({ rfqId, seq: place })
  }
  const inOrder = [...quotes].sort((a, b) => a.receivedAt - b.receivedAt)
  // Each quote is one event after `started`, so the position is also the number of quotes seen.
  const missing = isWhole ? inOrder.filter(({ hash }) => !shown.has(hash)) : inOrder.slice(seq)
  return [
    ...(seq === -1 ? [{ type: 'started' as const, id: id(), data: terms }] : []),
    ...missing.map((data): NumberedEvent => ({ type: 'quote', id: id(), data })),
    {
      type: 'done',
      id: id(),
      data: {
        rfqId,
        closedAt: closedAt ?? terms.closesAt,
        quoteCount: quotes.length,
        rejectedCount,
        ranking: quotes.map(({ hash }) => hash),
        ...(interrupted !== undefined && { interrupted }),
        ...(best !== undefined && { best }),
      },
    },
  ]
}

function openLine(
  transport: HttpTransport,
  start: StreamStart,
  { rfqId, seq }: StreamCursor,
  guard: CallGuard,
): Promise<Response> {
  const { traceparent } = start
  if (rfqId !== null) {
    const lastEventId = seq < 0 ? {} : { lastEventId: formatEventId({ rfqId, seq }) }
    return transport.open(followAuction, { parameters: { rfqId }, traceparent, ...lastEventId }, guard)
  }
  const { body, key } = start as Extract<StreamStart, { key: string }>
  return transport.open(streamQuotes, { body, traceparent, idempotencyKey: key }, guard)
}

function interrupted(rfqId: RfqId | null, cause?: unknown): StreamError {
  const details =
    rfqId === null
      ? 'It is unknown whether an auction was opened.'
      : "Call followAuction with this error's rfqId to continue, or getRfq for the result."
  return new StreamError('STREAM_INTERRUPTED', 'The stream ended before the auction was done.', {
    details,
    rfqId,
    cause,
  })
}
