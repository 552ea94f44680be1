import { parseEventId, type RFQStreamEvent, type RfqId } from '@firmquote/core'
import { type ClientErrorOptions, InvalidResponseError } from '../errors.ts'

/** Where a reader of an auction's stream is. `rfqId` is null before `started`, `seq` is of the last event, -1 before the first. */
export type StreamCursor = { readonly rfqId: RfqId | null; readonly seq: number }

/**
 * The place after one more event; `repeated` when the reader has had it, `missing` when one before it has not arrived. Pure.
 *
 * @throws {InvalidResponseError} when it is of another auction, or its id is none.
 */
export function cursorAfter(
  place: StreamCursor,
  event: Exclude<RFQStreamEvent, { type: 'error' }>,
  facts: ClientErrorOptions,
): StreamCursor | 'repeated' | 'missing' {
  const id = parseEventId(event.id)
  if (id === null || (id.seq === 0) !== (event.type === 'started')) {
    throw new InvalidResponseError(`The ${event.type} event has an id that does not fit.`, facts)
  }
  const named = 'rfqId' in event.data ? event.data.rfqId : id.rfqId
  if (named !== id.rfqId || (place.rfqId !== null && place.rfqId !== id.rfqId)) {
    throw new InvalidResponseError(`The ${event.type} event belongs to another auction.`, facts)
  }
  if (id.seq <= place.seq) return 'repeated'
  return id.seq === place.seq + 1 ? id : 'missing'
}
