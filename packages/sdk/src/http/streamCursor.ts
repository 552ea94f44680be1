import type { RFQStreamEvent, RfqId } from '@firmquote/core'
import { parseEventId } from '@firmquote/core/protocol'
import { type ClientErrorOptions, InvalidResponseError } from '../errors.ts'

/**
 * A reader's position in an auction's stream. `rfqId` is null before `started`. `seq` is the last event's position, or
 * -1 before the first.
 */
export type StreamCursor = { readonly rfqId: RfqId | null; readonly seq: number }

/**
 * Returns the position after the next event, `repeated` if the reader has already seen it, or `missing` if an earlier
 * event has not arrived. Pure.
 *
 * @throws {InvalidResponseError} if the event belongs to another auction or its id is malformed.
 */
export function cursorAfter(
  place: StreamCursor,
  event: Exclude<RFQStreamEvent, { type: 'error' }>,
  facts: ClientErrorOptions,
): StreamCursor | 'repeated' | 'missing' {
  const id = parseEventId(event.id)
  if (id === null || (id.seq === 0) !== (event.type === 'started')) {
    throw new InvalidResponseError(`The ${event.type} event has a malformed id.`, facts)
  }
  const named = 'rfqId' in event.data ? event.data.rfqId : id.rfqId
  if (named !== id.rfqId || (place.rfqId !== null && place.rfqId !== id.rfqId)) {
    throw new InvalidResponseError(`The ${event.type} event belongs to another auction.`, facts)
  }
  if (id.seq <= place.seq) return 'repeated'
  return id.seq === place.seq + 1 ? id : 'missing'
}
