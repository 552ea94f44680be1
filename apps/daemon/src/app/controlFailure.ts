import { BaseError } from '@firmquote/core'
import { type ControlCode, ControlError, InvalidPolicyError } from './daemonControl.ts'

/** Does what the operator asked for, and puts whatever goes wrong into his words. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asControlError(error)
  }
}

/** The refusal that a failure comes to; an unknown failure stays what it is. */
function asControlError(error: unknown): unknown {
  if (error instanceof ControlError || error instanceof InvalidPolicyError || !(error instanceof BaseError))
    return error
  const code = codeOf(error)
  // Its own message may be too much for the operator's ears, but the log gets the cause.
  return code === null ? error : new ControlError(code, error.shortMessage, { cause: error })
}

function codeOf(error: BaseError): ControlCode | null {
  switch (error.name) {
    case 'ChainUnavailableError':
      return 'CHAIN_UNAVAILABLE'
    case 'StorageUnavailableError':
      return 'STORAGE_UNAVAILABLE'
    case 'TransactionError':
      return 'TRANSACTION_FAILED'
    case 'SignerError':
      return 'SIGNER_FAILED'
    case 'ConnectionError':
    case 'TimeoutError':
    case 'AbortedError':
      return 'sent' in error && error.sent === 'no' ? 'NOT_CONNECTED' : 'VERDICT_UNKNOWN'
    default:
      return null
  }
}
