import { tooManyConnectionsCode } from '@firmquote/node-runtime/socket/rpcCodes'
import type { ControlCode } from '../app/daemonControl.ts'

/** The daemon's JSON-RPC error codes. The meaning of a code never changes. */
export const daemonRpcCodes = {
  PAUSED: -32_001,
  NOT_CONNECTED: -32_002,
  OVERCOMMITTED: -32_003,
  POLICY_REFUSED: -32_004,
  TRANSACTION_FAILED: -32_005,
  SIGNER_FAILED: -32_006,
  RFQ_NOT_OPEN: -32_007,
  VERDICT_UNKNOWN: -32_008,
  CHAIN_UNAVAILABLE: -32_009,
  STORAGE_UNAVAILABLE: -32_010,
  STOPPING: -32_011,
  TOO_MANY_CONNECTIONS: tooManyConnectionsCode,
  DRY_RUN: -32_013,
} as const satisfies Record<ControlCode | 'TOO_MANY_CONNECTIONS', number>
