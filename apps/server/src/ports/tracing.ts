export type { Span, Tracing } from '@firmquote/program/tracing'
