import type { CollectedQuote, RFQStarted, RFQStreamFailure, RFQSummary } from '../generated/wireTypes.ts'

/**
 * An event in an RFQ's stream. A stream consists of one `started` event, any number of `quote` events, and one `done`
 * or `error` event.
 */
export type RFQStreamEvent =
  | { type: 'started'; id: string; data: RFQStarted }
  | { type: 'quote'; id: string; data: CollectedQuote }
  | { type: 'done'; id: string; data: RFQSummary }
  | { type: 'error'; id: string; data: RFQStreamFailure }
