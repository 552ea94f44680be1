import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** The codes of JSON-RPC 2.0, section 5.1. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const

/** What a method answers when it does not do what it was asked for. The caller gets code, message and data as they are. */
export class RpcError extends BaseError {
  override name = 'RpcError'
  /** One of {@link rpcCodes}, or the daemon's own: -32001 and below. */
  readonly rpcCode: number
  /** JSON, or undefined. */
  readonly data: unknown

  constructor(rpcCode: number, message: string, options: BaseErrorOptions & { data?: unknown } = {}) {
    super('RPC_ERROR', message, options)
    this.rpcCode = rpcCode
    this.data = options.data
  }
}
