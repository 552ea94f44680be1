import { formatEventId, type RFQResult, type RFQStreamEvent, type RfqId } from '@firmquote/core'
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

/** What a stream yields. After the service's `error` event the stream is resumed. */
export type RFQAuctionEvent = Exclude<RFQStreamEvent, { type: 'error' }>

/**
 * `timeoutMs` is for the opening of the auction, its repetitions included (default: the client's for each try, 30 000 for
 * all of them), and for each try to resume the stream. The stream itself lasts as long as it is alive.
 */
export type StreamOptions = CallOptions & {
  /** Milliseconds of silence after which the line counts as dead. The service sends something every 5 s. Default 20 000. */
  idleTimeoutMs?: number | undefined
  /**
   * Milliseconds without a connection and without a new event after which the stream is given up. 0: never resumed. Default:
   * until 60 s after the auction's close, when its result is asked for instead; 30 000 where the close is not known.
   */
  resumeTimeoutMs?: number | undefined
}

/** What a stream begins with: a request that opens an auction, or a place in the stream of one (-1: its beginning). */
export type StreamStart = ({ body: string; key: string } | { rfqId: RfqId; seq: number }) & {
  /** The place in the caller's trace. */
  traceparent?: string | undefined
}

const longestOpeningMs = 30_000
/** The longest that a service lets an auction be open. */
const longestAuctionMs = 600_000
/** How long after the close of its auction a stream may go on. */
const afterCloseMs = 60_000
const unknownCloseResumeMs = 30_000
/** Events of one connection that the reader has had already. */
const mostRepeated = 10_000

/**
 * Opens or follows an auction and yields each of its events once, in order, until it is done: a line that ends, breaks or
 * is silent before is followed by another, which goes on after the last event. A minute after the auction's close, by the
 * monotonic clock, the rest is taken from its result. Leaving the loop ends the request.
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
  /** The tries since the last new event that have failed, and the last of their errors. */
  let failures = 0
  let earlier: unknown
  let delay = 0
  /** On the monotonic clock. A line that is alive puts it off. */
  let givesUpAt = clock.monotonic() + (timeoutMs ?? Math.max(longestOpeningMs, tryMs))
  /** Nothing puts this off. */
  let endsAt =
    clock.monotonic() +
    (place.rfqId === null ? Math.max(longestOpeningMs, tryMs) + idleTimeoutMs : longestAuctionMs + afterCloseMs)
  let isCloseKnown = false
  const isWhole = place.seq === -1
  const judge = createEventJudge(isWhole)
  const shown = new Set<Hex>()

  for (;;) {
    const guard = guardCall(clock, { signal, timeoutMs: tryMs })
    let isOpened = false
    let heardAt: number | null = null
    let failure: unknown
    let repeated = 0
    const atMost = (ms: number) => {
      const until = failures === 0 ? endsAt : Math.min(givesUpAt, endsAt)
      return Math.max(0, Math.min(ms, until - clock.monotonic()))
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
      const silenceMs = () =>
        heardAt === null ? atMost(idleTimeoutMs) : Math.max(0, Math.min(idleTimeoutMs, endsAt - clock.monotonic()))
      for await (const event of readEventLine(response, { guard, silenceMs, onBytes })) {
        if (event.type === 'error') {
          const { code, message } = event.data
          const { rfqId } = place
          failure = interrupted(rfqId, new StreamError(code, message, { ...facts(response), rfqId }))
          break
        }
        const next = cursorAfter(place, event, facts(response))
        if (next === 'repeated') {
          repeated += 1
          if (repeated > mostRepeated) {
            throw new InvalidResponseError('The stream repeats its events without end.', facts(response))
          }
          continue
        }
        if (next === 'missing') break
        judge(event, facts(response))
        place = next
        if (event.type === 'started') {
          const { openedAt, closesAt } = event.data
          isCloseKnown = true
          endsAt = clock.monotonic() + Math.min(Math.max(closesAt - openedAt, 0), longestAuctionMs) + afterCloseMs
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
      givesUpAt = now + (resumeTimeoutMs ?? (isCloseKnown ? Number.POSITIVE_INFINITY : unknownCloseResumeMs))
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
      // A refusal before anything was told is the answer to the call; what is malformed is never asked for again.
      if (wait === null && (isFresh || !(failure instanceof ServiceError))) throw failure
      throw failure instanceof StreamError ? failure : interrupted(place.rfqId, failure)
    }
    earlier = withPreviousErrors(failure, earlier)
    delay = wait
    failures += 1
  }
}

/** The result of an auction that has closed; null when it is not known. */
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

/** What a reader has had of a stream: up to which place, whether from its beginning, and which quotes. */
type Shown = { seq: number; isWhole: boolean; shown: ReadonlySet<Hex> }

/** The events of a result behind those that have been shown. */
function eventsOf(result: RFQResult, { seq, isWhole, shown }: Shown): RFQAuctionEvent[] {
  const { status: _, closedAt, rejectedCount, interrupted, best, quotes, ...terms } = result
  const { rfqId } = terms
  let place = seq
  const id = () => {
    place += 1
    return formatEventId({ rfqId, seq: place })
  }
  const inOrder = [...quotes].sort((a, b) => a.receivedAt - b.receivedAt)
  // Each quote is one event behind `started`, so a place says how many came before it.
  const missing = isWhole ? inOrder.filter(({ hash }) => !shown.has(hash)) : inOrder.slice(seq)
  return [
    ...(seq === -1 ? [{ type: 'started' as const, id: id(), data: terms }] : []),
    ...missing.map((data): RFQAuctionEvent => ({ type: 'quote', id: id(), data })),
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
      ? 'It is not known whether an auction was opened.'
      : "followAuction goes on with this error's rfqId, and getRfq gets the result."
  return new StreamError('STREAM_INTERRUPTED', 'The stream ended before the auction was done.', {
    details,
    rfqId,
    cause,
  })
}
