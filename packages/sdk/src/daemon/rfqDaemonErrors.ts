import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** Why a daemon's socket was rejected. */
export type DaemonSocketFault = 'missing' | 'link' | 'not_a_socket' | 'other_owner' | 'open_to_others' | 'unsupported'

/** The path is not a socket private to this user. Nothing was sent. Code `SOCKET_REFUSED`. */
export class DaemonSocketError extends BaseError {
  override name = 'DaemonSocketError'
  readonly fault: DaemonSocketFault
  readonly socketPath: string

  constructor(fault: DaemonSocketFault, socketPath: string, message: string, options: BaseErrorOptions = {}) {
    super('SOCKET_REFUSED', message, { docsPath: '@firmquote/sdk/ERRORS.md#daemonsocketerror', ...options })
    this.fault = fault
    this.socketPath = socketPath
  }
}

/** The daemon answered a call with an error (JSON-RPC 2.0, section 5.1). Code `DAEMON_ERROR`. */
export class DaemonError extends BaseError {
  override name = 'DaemonError'
  /** A standard JSON-RPC code (-32700, -32600 to -32603) or one of the daemon's own codes (-32001 and below). */
  readonly rpcCode: number
  /** The error's data, not decoded. */
  readonly data: unknown

  constructor(rpcCode: number, message: string, data?: unknown) {
    super('DAEMON_ERROR', message, { docsPath: '@firmquote/sdk/ERRORS.md#daemonerror' })
    this.rpcCode = rpcCode
    this.data = data
  }
}
