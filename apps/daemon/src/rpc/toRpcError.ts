import { ChainUnavailableError } from '@firmquote/core'
import type { DecodeIssue } from '@firmquote/core/wire'
import { JSONRPCErrorCode, JSONRPCErrorException } from 'json-rpc-2.0'
import { ControlError, InvalidPolicyError } from '../app/daemonControl.ts'
import { daemonRpcCodes } from './daemonRpcCodes.ts'

/** A small request must not get a huge answer. */
const mostMistakes = 20

/** Turns what the daemon's control throws into what the caller may see. An unexpected error stays what it is. */
export function toRpcError(error: unknown): unknown {
  if (error instanceof InvalidPolicyError) return invalidParams(error.issues)
  if (error instanceof ControlError) {
    const { code, shortMessage, facts } = error
    return new JSONRPCErrorException(shortMessage, daemonRpcCodes[code], { ...facts, code })
  }
  if (error instanceof ChainUnavailableError) {
    // Its own message may name the node.
    const data = { code: error.code }
    return new JSONRPCErrorException('The chain could not be read.', daemonRpcCodes.CHAIN_UNAVAILABLE, data)
  }
  return error
}

/** Parameters do not fit; `data.errors` has the path and the fault of every mistake. */
export function invalidParams(issues: readonly DecodeIssue[]): JSONRPCErrorException {
  const errors = issues.slice(0, mostMistakes).map(({ path, message }) => ({ path, message }))
  const words = errors.map(({ path, message }) => `${path || 'params'} ${message}`).join('; ')
  return new JSONRPCErrorException(`The call does not fit: ${words}.`, JSONRPCErrorCode.InvalidParams, { errors })
}
