import type { CollectedQuote, RFQStarted, RFQStreamFailure, RFQSummary } from '../generated/wireTypes.ts'

/** What a streamed RFQ yields, in this order: one `started`, any number of `quote`, one `done` (or `error`). */
export type RFQStreamEvent =
  | { type: 'started'; id: string; data: RFQStarted }
  | { type: 'quote'; id: string; data: CollectedQuote }
  | { type: 'done'; id: string; data: RFQSummary }
  | { type: 'error'; id: string; data: RFQStreamFailure }
