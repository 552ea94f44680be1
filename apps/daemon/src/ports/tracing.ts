export type { Tracing } from '@firmquote/node-runtime/tracing'
