export type { Span, Tracing } from '@firmquote/node-runtime/tracing'
