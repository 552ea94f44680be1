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

  constructor(socketPath: string) {
    super('SOCKET_TAKEN', `Another daemon is using ${socketPath}: stop it first, or choose another socket path.`)
  }
}
