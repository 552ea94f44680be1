import { formatEventId, type RFQStreamEvent, type RfqId } from '@firmquote/core'
import { ConnectionError, ServiceError, StreamError, TimeoutError } from '../errors.ts'
import { followAuction, streamQuotes } from '../generated/endpoints.ts'
import { type CallGuard, type CallOptions, guardCall } from './callGuard.ts'
import { readEventLine } from './eventLine.ts'
import { type HttpTransport, withEarlier } from './httpTransport.ts'
import { pause } from './pause.ts'
import { facts } from './responseFacts.ts'
import { keyedRetryDelay, resumeDelay } from './retryPolicy.ts'
import { placeAfter, type StreamPlace } from './streamPlace.ts'

/** What a stream yields. After the service's `error` event the stream is resumed. */
export type RFQAuctionEvent = Exclude<RFQStreamEvent, { type: 'error' }>

/**
 * `timeoutMs` is for the opening of the auction, its repetitions included (default: the client's for each try, 30 000 for
 * all of them), and for each try to resume the stream. The stream itself lasts as long as it is alive.
 */
export type StreamOptions = CallOptions & {
  /** Milliseconds of silence after which the line counts as dead. The service sends something every 5 s. Default 20 000. */
  idleTimeoutMs?: number | undefined
  /** Milliseconds without a line and without a new event after which the stream is given up. 0: never resumed. Default 30 000. */
  resumeTimeoutMs?: number | undefined
}

/** What a stream begins with: a request that opens an auction, or a place in the stream of one (-1: its beginning). */
export type StreamStart = { body: string; key: string } | { rfqId: RfqId; seq: number }

const longestOpeningMs = 30_000

/**
 * Opens or follows an auction and yields each of its events once, in order, until it is done: a line that ends, breaks or
 * is silent before is followed by another, which goes on after the last event. Leaving the loop ends the request.
 */
export async function* streamRfq(
  transport: HttpTransport,
  start: StreamStart,
  { signal, timeoutMs, idleTimeoutMs = 20_000, resumeTimeoutMs = 30_000 }: StreamOptions,
): AsyncGenerator<RFQAuctionEvent, void, undefined> {
  const { clock } = transport
  const tryMs = timeoutMs ?? transport.timeoutMs
  let place: StreamPlace = 'key' in start ? { rfqId: null, seq: -1 } : start
  let isFresh = true
  /** The tries since the last new event that have failed, and the last of their errors. */
  let failures = 0
  let earlier: unknown
  let delay = 0
  /** On the monotonic clock. A line that is alive puts it off. */
  let givesUpAt = clock.monotonic() + (timeoutMs ?? Math.max(longestOpeningMs, tryMs))

  for (;;) {
    const guard = guardCall(clock, { signal, timeoutMs: tryMs })
    let isOpened = false
    let heardAt: number | null = null
    let failure: unknown
    const atMost = (ms: number) => (failures === 0 ? ms : Math.max(0, Math.min(ms, givesUpAt - clock.monotonic())))
    const onBytes = () => {
      const now = clock.monotonic()
      if (heardAt !== null) givesUpAt += now - heardAt
      heardAt = now
    }
    try {
      guard.pause()
      if (failures > 0) await pause(clock, delay, guard)
      guard.restart(atMost(tryMs))
      const response = await openLine(transport, start, place, guard)
      isOpened = true
      const silenceMs = () => (heardAt === null ? atMost(idleTimeoutMs) : idleTimeoutMs)
      for await (const event of readEventLine(response, { guard, silenceMs, onBytes })) {
        if (event.type === 'error') {
          const { code, message } = event.data
          const { rfqId } = place
          failure = interrupted(rfqId, new StreamError(code, message, { ...facts(response), rfqId }))
          break
        }
        const next = placeAfter(place, event, facts(response))
        if (next === 'repeated') continue
        if (next === 'missing') break
        place = next
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
    if (failures === 0 && !isOpening) givesUpAt = now + resumeTimeoutMs
    const wait = (isOpening ? keyedRetryDelay : resumeDelay)(failure, failures, transport.random())
    if (wait === null || now + wait >= givesUpAt) {
      if (isOpening) throw withEarlier(failure, earlier)
      // A refusal before anything was told is the answer to the call; what is malformed is never asked for again.
      if (wait === null && (isFresh || !(failure instanceof ServiceError))) throw failure
      throw failure instanceof StreamError ? failure : interrupted(place.rfqId, failure)
    }
    earlier = withEarlier(failure, earlier)
    delay = wait
    failures += 1
  }
}

function openLine(
  transport: HttpTransport,
  start: StreamStart,
  { rfqId, seq }: StreamPlace,
  guard: CallGuard,
): Promise<Response> {
  if (rfqId !== null) {
    const lastEventId = seq < 0 ? {} : { lastEventId: formatEventId({ rfqId, seq }) }
    return transport.open(followAuction, { parameters: { rfqId }, ...lastEventId }, guard)
  }
  const { body, key } = start as Extract<StreamStart, { key: string }>
  return transport.open(streamQuotes, { body, idempotencyKey: key }, guard)
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
