import type { NodeRelay } from '../../ports/nodeRelay.ts'
import { judgeResponse } from './judgeResponse.ts'
import { createNodeConnection } from './nodeConnection.ts'
import { refusalOf } from './rpcFailure.ts'

/** Timeout of a relayed request, in milliseconds. */
const timeoutMs = 10_000

/** Relays requests to a node. Never retries, because a resent transaction may be executed twice. */
export function createNodeRelay(rpcUrl: string): NodeRelay {
  const post = createNodeConnection(rpcUrl)
  return async (call) => {
    try {
      const { error, answer } = judgeResponse(call, await post(call, timeoutMs), rpcUrl)
      if (error === undefined) return { result: answer }
      const refusal = refusalOf(error)
      return refusal && { error: refusal }
    } catch {
      return null
    }
  }
}
