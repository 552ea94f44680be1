import { BaseError, ChainUnavailableError, InvalidInputError } from '@firmquote/core'
import { AbortedError, ConnectionError, ServiceError, SignerError, StreamError, TimeoutError } from '@firmquote/sdk'
import { DaemonError, DaemonSocketError } from '@firmquote/sdk/node'
import { NotExecutableError, UsageError } from './errors.ts'
import { exitCodes } from './exitCodes.ts'

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof AbortedError) return exitCodes.interrupted
  if (error instanceof UsageError || error instanceof InvalidInputError || error instanceof SignerError)
    return exitCodes.usage
  if (error instanceof NotExecutableError) return exitCodes.notExecutable
  if (isUnreachable(error)) return exitCodes.unreachable
  if (error instanceof ServiceError || error instanceof StreamError || error instanceof DaemonError)
    return exitCodes.refused
  return exitCodes.failure
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  if (error instanceof ChainUnavailableError || error instanceof DaemonSocketError) return true
  return error instanceof BaseError && error.code === 'STREAM_INTERRUPTED'
}
