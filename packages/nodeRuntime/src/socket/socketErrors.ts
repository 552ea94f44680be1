import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** Reasons for rejecting a socket path. */
export type SocketPathFault =
  | 'unsupported'
  | 'too_long'
  | 'no_folder'
  | 'unsafe_folder'
  | 'closed_folder'
  | 'link'
  | 'not_a_socket'
  | 'other_owner'
  | 'open_to_others'

/** A socket cannot be created at this path. An existing file is left unchanged. Code `SOCKET_PATH_REFUSED`. */
export class SocketPathError extends BaseError {
  override name = 'SocketPathError'
  readonly fault: SocketPathFault

  constructor(fault: SocketPathFault, message: string, options: BaseErrorOptions = {}) {
    super('SOCKET_PATH_REFUSED', message, options)
    this.fault = fault
  }
}

/** Another process is already listening on this socket. Code `SOCKET_TAKEN`. */
export class SocketTakenError extends BaseError {
  override name = 'SocketTakenError'

  constructor(socketPath: string, program: string) {
    super('SOCKET_TAKEN', `Another ${program} is using ${socketPath}: stop it first, or choose another socket path.`)
  }
}

/** Reasons why a call received no answer. */
export type SocketCallFault =
  | 'unsupported'
  | 'missing'
  | 'not_a_socket'
  | 'other_owner'
  | 'open_to_others'
  | 'not_listening'
  /** The call may have been executed. All other errors precede the sending. */
  | 'no_answer'

/** A call over a socket received no answer. Code `SOCKET_CALL_FAILED`. */
export class SocketCallError extends BaseError {
  override name = 'SocketCallError'
  readonly fault: SocketCallFault

  constructor(fault: SocketCallFault, message: string, options: BaseErrorOptions = {}) {
    super('SOCKET_CALL_FAILED', message, options)
    this.fault = fault
  }
}

/** A program answered a call with an error. Code `CALL_REFUSED`. */
export class CallRefusedError extends BaseError {
  override name = 'CallRefusedError'
  /** The JSON-RPC error code. */
  readonly rpcCode: number
  /** The error's data, not decoded. */
  readonly data: unknown

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super('CALL_REFUSED', message)
    this.rpcCode = code
    this.data = data
  }
}
