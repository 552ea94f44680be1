import type { CollectedQuote, RFQProgress, RFQStarted, RFQStreamFailure, RFQSummary } from '../generated/wireTypes.ts'

/**
 * A numbered event in an RFQ's stream. A stream consists of one `started` event, any number of `quote` events, and one
 * `done` or `error` event. Between them, it may have any number of {@link RFQProgressEvent}s.
 */
export type RFQStreamEvent =
  | { type: 'started'; id: string; data: RFQStarted }
  | { type: 'quote'; id: string; data: CollectedQuote }
  | { type: 'done'; id: string; data: RFQSummary }
  | { type: 'error'; id: string; data: RFQStreamFailure }

/**
 * An unnumbered event in an RFQ's stream, with counts of the makers that have answered. Best effort: the service sends
 * at most 4 a second and replays none.
 */
export type RFQProgressEvent = { type: 'progress'; data: RFQProgress }
