import type { RFQStreamEvent, RfqId } from '@firmquote/core'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { AbortedError, InvalidResponseError, StreamError } from '../errors.ts'
import { streamQuotes } from '../generated/endpoints.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import { type CallGuard, type CallOptions, guardCall } from './callGuard.ts'
import { facts, type HttpTransport } from './httpTransport.ts'

/** What a stream yields. The service's `error` event is thrown instead, as a {@link StreamError}. */
export type RFQAuctionEvent = Exclude<RFQStreamEvent, { type: 'error' }>

/** `timeoutMs` is for the opening of the auction; the stream itself lasts as long as it is alive. */
export type StreamOptions = CallOptions & {
  /** Milliseconds of silence after which the line counts as dead. The service sends something every 5 s. Default 20 000. */
  idleTimeoutMs?: number | undefined
}

const longestEvent = 1024 * 1024

/**
 * Opens an auction and yields what it tells, until it is done. Leaving the loop ends the request.
 *
 * @param body the request as JSON.
 */
export async function* streamRfq(
  transport: HttpTransport,
  body: string,
  { signal, timeoutMs = transport.timeoutMs, idleTimeoutMs = 20_000 }: StreamOptions,
): AsyncGenerator<RFQAuctionEvent, void, undefined> {
  const guard = guardCall(transport.clock, { signal, timeoutMs })
  let rfqId: RfqId | null = null
  try {
    const response = await transport.open(streamQuotes, body, guard)
    if (!response.body || !/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
      throw new InvalidResponseError('The service did not answer with a stream of events.', facts(response))
    }
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    const messages: EventSourceMessage[] = []
    let tooLong = false
    const parser = createParser({
      maxBufferSize: longestEvent,
      onEvent: (message) => messages.push(message),
      onError: ({ type }) => {
        tooLong ||= type === 'max-buffer-size-exceeded'
      },
    })

    for (;;) {
      const bytes = await nextBytes(reader, guard, idleTimeoutMs, rfqId)
      parser.feed(decoder.decode(bytes, { stream: true }))
      if (tooLong) throw new InvalidResponseError('An event of the stream is too long.', facts(response))
      for (const message of messages.splice(0)) {
        const event = decodeEvent(message, response)
        if (event === null) continue
        if (event.type === 'error') {
          throw new StreamError(event.data.code, event.data.message, { ...facts(response), rfqId })
        }
        if (event.type === 'started') rfqId = event.data.rfqId
        yield event
        if (event.type === 'done') return
      }
    }
  } finally {
    guard.release()
  }
}

/** The next piece of the stream. The time that the caller takes between two pieces does not count as silence. */
async function nextBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  guard: CallGuard,
  idleTimeoutMs: number,
  rfqId: RfqId | null,
): Promise<Uint8Array> {
  let cause: unknown
  try {
    guard.restart(idleTimeoutMs)
    const { done, value } = await reader.read()
    if (!done) return value
  } catch (error) {
    cause = guard.failure('maybe') ?? error
    if (cause instanceof AbortedError) throw cause
  } finally {
    guard.pause()
  }
  const details =
    rfqId === null
      ? 'It is not known whether an auction was opened.'
      : "getRfq with this error's rfqId gets its result."
  throw new StreamError('STREAM_INTERRUPTED', 'The stream ended before the auction was done.', {
    details,
    rfqId,
    cause,
  })
}

function decodeEvent({ event = '', id = '', data }: EventSourceMessage, response: Response): RFQStreamEvent | null {
  const { events } = streamQuotes
  if (!Object.hasOwn(events, event)) return null
  const type = event as keyof typeof events
  const what = `The ${type} event`
  const value = decodeAnswer<unknown>(events[type], parseAnswer(data, what, facts(response)), what, facts(response))
  return { type, id, data: value } as RFQStreamEvent
}
