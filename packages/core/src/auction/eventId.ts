import { parseRfqId, type RfqId } from './rfqId.ts'

/**
 * An event's id in its auction's stream. `seq` is 0 for `started` and increases by one with each accepted quote. `done`
 * has the highest `seq`. All instances of the service assign the same ids, and ids survive restarts.
 */
export type EventId = { rfqId: RfqId; seq: number }

/** Formats an event's id: `<rfqId>:<n>`. */
export function formatEventId({ rfqId, seq }: EventId): string {
  return `${rfqId}:${seq}`
}

/** Parses an event's id. @returns null if the text is malformed. */
export function parseEventId(text: string): EventId | null {
  const [, id = '', seq] = /^([0-9a-f]{32}):(0|[1-9]\d{0,8})$/.exec(text) ?? []
  const rfqId = parseRfqId(id)
  return rfqId === null ? null : { rfqId, seq: Number(seq) }
}
