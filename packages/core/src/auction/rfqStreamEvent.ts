import type { CollectedQuote, RFQStarted, RFQStreamFailure, RFQSummary } from '../generated/wireTypes.ts'

/** An event of a streamed RFQ. A stream has one `started`, any number of `quote`, then one `done` or `error`. */
export type RFQStreamEvent =
  | { type: 'started'; id: string; data: RFQStarted }
  | { type: 'quote'; id: string; data: CollectedQuote }
  | { type: 'done'; id: string; data: RFQSummary }
  | { type: 'error'; id: string; data: RFQStreamFailure }
