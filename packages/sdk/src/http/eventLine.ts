import type { RFQProgressEvent, RFQStreamEvent } from '@firmquote/core'
import { ConnectionError, InvalidResponseError } from '../errors.ts'
import { streamQuotes } from '../generated/endpoints.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import type { CallGuard } from './callGuard.ts'
import { createEventParser, type ServerSentEvent } from './eventParser.ts'
import { facts, unfit } from './responseFacts.ts'

/** Options for reading one response's events. */
export type EventLineOptions = {
  guard: CallGuard
  /** Returns the remaining milliseconds of silence before the connection is considered dead. */
  silenceMs(): number
  /** Called when bytes arrive, even if they complete no event. */
  onBytes(): void
}

/** Maximum bytes of an event, and of the comments before it. */
const maxEvent = 1024 * 1024

/**
 * Yields the events of one response until it ends.
 *
 * @throws {InvalidResponseError} if the response is not an event stream or an event is malformed.
 * @throws {ConnectionError} if the connection breaks.
 * @throws {TimeoutError} if the connection is silent for too long.
 * @throws {AbortedError} if the caller aborts.
 */
export async function* readEventLine(
  response: Response,
  { guard, silenceMs, onBytes }: EventLineOptions,
): AsyncGenerator<RFQStreamEvent | RFQProgressEvent, void, undefined> {
  if (!response.body || !/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
    throw new InvalidResponseError('The service did not respond with an event stream.', unfit(response))
  }
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const parse = createEventParser()
  let sinceEvent = 0
  for (;;) {
    const bytes = await nextBytes(reader, guard, silenceMs())
    if (bytes === null) return
    onBytes()
    const messages = parse(decoder.decode(bytes, { stream: true }))
    sinceEvent = messages.length > 0 ? 0 : sinceEvent + bytes.length
    if (sinceEvent > maxEvent) throw new InvalidResponseError('A stream event is too long.', facts(response))
    for (const message of messages) {
      const event = decodeEvent(message, response)
      if (event !== null) yield event
    }
  }
}

/** Reads the next chunk. Time that the caller spends between chunks does not count as silence. */
async function nextBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  guard: CallGuard,
  silenceMs: number,
): Promise<Uint8Array | null> {
  try {
    guard.restart(silenceMs)
    const { done, value } = await reader.read()
    return done ? null : value
  } catch (cause) {
    throw (
      guard.failure('maybe') ??
      new ConnectionError('The connection broke while the stream was being read.', { sent: 'maybe', cause })
    )
  } finally {
    guard.pause()
  }
}

/** Ignores events of unknown types, because a newer service may send them. */
function decodeEvent(
  { event, id, data }: ServerSentEvent,
  response: Response,
): RFQStreamEvent | RFQProgressEvent | null {
  const { events } = streamQuotes
  if (!Object.hasOwn(events, event)) return null
  const type = event as keyof typeof events
  const what = `The ${type} event`
  const value = decodeAnswer<unknown>(events[type], parseAnswer(data, what, facts(response)), what, facts(response))
  return (type === 'progress' ? { type, data: value } : { type, id, data: value }) as RFQStreamEvent | RFQProgressEvent
}
