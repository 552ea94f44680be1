import type { NodeRelay } from '../../ports/nodeRelay.ts'
import { createNodeTransport } from './nodeTransport.ts'
import { refusalOf } from './rpcFailure.ts'

/** Timeout of a relayed request, in milliseconds. */
const timeoutMs = 10_000

/** Relays requests to a node. Never retries, because a resent transaction may be executed twice. */
export function createNodeRelay(rpcUrl: string): NodeRelay {
  const { request } = createNodeTransport(rpcUrl, { timeoutMs, retryCount: 0, retryDelayMs: 0 })({})
  return async (call) => {
    try {
      return { result: await request(call) }
    } catch (error) {
      const refusal = refusalOf(error)
      return refusal && { error: refusal }
    }
  }
}
