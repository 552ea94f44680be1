export type { Tracing } from '@firmquote/program/tracing'
