import { ChainUnavailableError } from '@firmquote/core'
import type { DecodeIssue } from '@firmquote/core/wire'
import { ControlError, InvalidPolicyError } from '../app/daemonControl.ts'
import { daemonRpcCodes } from './daemonRpcCodes.ts'
import { RpcError, rpcCodes } from './rpcError.ts'

/** A small request must not get a huge answer. */
const mostMistakes = 20

/** Turns what the daemon's control throws into what the caller may hear. What nobody foresaw stays as it is. */
export function readFailure(error: unknown): unknown {
  if (error instanceof InvalidPolicyError) return invalidParams(error.issues, error)
  if (error instanceof ControlError) {
    const { code, shortMessage, facts } = error
    return new RpcError(daemonRpcCodes[code], shortMessage, { data: { ...facts, code }, cause: error })
  }
  if (error instanceof ChainUnavailableError) {
    const data = { code: error.code }
    // Its own words may name the node.
    return new RpcError(daemonRpcCodes.CHAIN_UNAVAILABLE, 'The chain could not be read.', { data, cause: error })
  }
  return error
}

/** Parameters do not fit; `data.errors` has the path and the fault of every mistake. */
export function invalidParams(issues: readonly DecodeIssue[], cause?: unknown): RpcError {
  const errors = issues.slice(0, mostMistakes).map(({ path, message }) => ({ path, message }))
  const words = errors.map(({ path, message }) => `${path || 'params'} ${message}`)
  return new RpcError(rpcCodes.invalidParams, `The call does not fit: ${words.join('; ')}.`, {
    data: { errors },
    cause,
  })
}
