export type { Clock } from '@firmquote/core/utils'
export { RfqDaemonClient, type RfqDaemonClientOptions } from './daemon/rfqDaemonClient.ts'
export { DaemonError, DaemonSocketError, type DaemonSocketFault } from './daemon/rfqDaemonErrors.ts'
export type {
  DaemonAlert,
  DaemonHookStatus,
  DaemonPolicy,
  DaemonQuote,
  DaemonStatus,
  RaisedNonce,
} from './daemon/rfqDaemonShapes.ts'
export { AbortedError, ClientError, ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts'
export type { CallOptions } from './http/callGuard.ts'
