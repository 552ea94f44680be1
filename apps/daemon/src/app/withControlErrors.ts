import { BaseError, ChainUnavailableError } from '@firmquote/core'
import { formatError } from '@firmquote/node-runtime/formatError'
import { AbortedError, ConnectionError, SignerError, TimeoutError } from '@firmquote/sdk'
import { StorageUnavailableError, TransactionError } from '../errors.ts'
import { type ControlCode, ControlError, InvalidPolicyError } from './daemonControl.ts'

/**
 * Runs an operator's call and converts its errors.
 *
 * @throws {ControlError} for every failure that has a control code. Unexpected errors are rethrown.
 */
export async function withControlErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toControlError(error)
  }
}

function toControlError(error: unknown): unknown {
  const isExpected = error instanceof ControlError || error instanceof InvalidPolicyError
  if (isExpected || !(error instanceof BaseError)) return error
  const code = codeOf(error)
  return code === null ? error : new ControlError(code, formatError(error), { cause: error })
}

function codeOf(error: BaseError): ControlCode | null {
  if (error instanceof ChainUnavailableError) return 'CHAIN_UNAVAILABLE'
  if (error instanceof StorageUnavailableError) return 'STORAGE_UNAVAILABLE'
  if (error instanceof TransactionError) return 'TRANSACTION_FAILED'
  if (error instanceof SignerError) return 'SIGNER_FAILED'
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof AbortedError) {
    return error.sent === 'no' ? 'NOT_CONNECTED' : 'VERDICT_UNKNOWN'
  }
  return null
}
