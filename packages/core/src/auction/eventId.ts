import { parseRfqId, type RfqId } from './rfqId.ts'

/**
 * The id of an event in its auction's stream. `seq` is 0 for `started`, then counts accepted quotes; `done` has the
 * highest. All instances of the service assign the same ids, and ids survive restarts.
 */
export type EventId = { rfqId: RfqId; seq: number }

/** Formats the id of an event: `<rfqId>:<n>`. */
export function formatEventId({ rfqId, seq }: EventId): string {
  return `${rfqId}:${seq}`
}

/** Parses the id of an event. @returns null when the text is malformed. */
export function parseEventId(text: string): EventId | null {
  const [, id = '', seq] = /^([0-9a-f]{32}):(0|[1-9]\d{0,8})$/.exec(text) ?? []
  const rfqId = parseRfqId(id)
  return rfqId === null ? null : { rfqId, seq: Number(seq) }
}
