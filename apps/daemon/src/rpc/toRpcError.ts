import { ChainUnavailableError } from '@firmquote/core'
import type { DecodeIssue } from '@firmquote/core/wire'
import { JSONRPCErrorCode, JSONRPCErrorException } from 'json-rpc-2.0'
import { ControlError, InvalidPolicyError } from '../app/daemonControl.ts'
import { daemonRpcCodes } from './daemonRpcCodes.ts'

/** Maximum number of mistakes to report, so that a small request cannot cause a large response. */
const maxMistakes = 20

/**
 * Converts an error from the daemon's control to the one sent to the caller. Unexpected errors are returned unchanged.
 */
export function toRpcError(error: unknown): unknown {
  if (error instanceof InvalidPolicyError) return invalidParams(error.issues)
  if (error instanceof ControlError) {
    const { code, shortMessage, facts } = error
    return new JSONRPCErrorException(shortMessage, daemonRpcCodes[code], { ...facts, code })
  }
  if (error instanceof ChainUnavailableError) {
    // The error's message may contain the node's URL.
    const data = { code: error.code }
    return new JSONRPCErrorException('Failed to read the chain.', daemonRpcCodes.CHAIN_UNAVAILABLE, data)
  }
  return error
}

/** Creates the error for invalid parameters. `data.errors` contains each mistake's path and message. */
export function invalidParams(issues: readonly DecodeIssue[]): JSONRPCErrorException {
  const errors = issues.slice(0, maxMistakes).map(({ path, message }) => ({ path, message }))
  const words = errors.map(({ path, message }) => `${path || 'params'} ${message}`).join('; ')
  return new JSONRPCErrorException(`Invalid parameters: ${words}.`, JSONRPCErrorCode.InvalidParams, { errors })
}
