import { parseRfqId, type RfqId } from './rfqId.ts'

/**
 * The place of an event in its auction's stream: 0 is `started`, then comes a number for each accepted quote, and `done`
 * has the last. The same on every instance of the service and after a restart.
 */
export type EventId = { rfqId: RfqId; seq: number }

/** Formats the id of an event: `<rfqId>:<n>`. */
export function formatEventId({ rfqId, seq }: EventId): string {
  return `${rfqId}:${seq}`
}

/** Parses the id of an event. @returns null when the text is none. */
export function parseEventId(text: string): EventId | null {
  const [, id = '', seq] = /^([0-9a-f]{32}):(0|[1-9]\d{0,8})$/.exec(text) ?? []
  const rfqId = parseRfqId(id)
  return rfqId === null ? null : { rfqId, seq: Number(seq) }
}
